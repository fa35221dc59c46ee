/** Rows of the loan book that no signed entries explain (docs/threats.md T73). */
import { sql } from 'kysely'

/** A sentence for each row of the loan book that SQL wrote past the product. */
export const LOANS = sql`
  SELECT format('Borrower %s was recorded without an entry of its name, account and grade.', b.id)
  FROM borrowers AS b LEFT JOIN (
    SELECT DISTINCT ON (subject_id) subject_id, action, actor_id, after, reason FROM audit_entries
    WHERE action IN ('borrower.recorded', 'borrower.corrected') ORDER BY subject_id, id DESC
  ) AS e ON e.subject_id = b.id::text
  WHERE NOT coalesce(
    (e.action = 'borrower.corrected' OR e.actor_id = b.recorded_by)
      AND (e.after ->> 'name', e.after ->> 'country', e.after ->> 'kind', e.after ->> 'relation', e.after ->> 'grade',
          coalesce(e.after ->> 'gradeReason', e.reason))
        = (b.name, b.country, b.kind, b.relation, b.grade, b.grade_reason)
      AND coalesce(e.after ->> 'userId' = b.user_id::text, (e.after ->> 'userEmail' IS NULL) = (b.user_id IS NULL)), false)
  UNION ALL
  SELECT format('Loan %s of $%s was recorded without an entry of its terms.', l.id, l.principal / 100.0)
  FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id WHERE NOT EXISTS (
    SELECT FROM audit_entries AS e WHERE e.action = 'loan.recorded' AND e.subject_id = l.id::text AND e.actor_id = l.recorded_by
      AND (e.after ->> 'amount')::numeric * 100 = l.principal AND coalesce(e.after ->> 'borrowerId' = l.borrower_id::text, e.after ->> 'borrower' = b.name)
      AND (e.after ->> 'rateBasisPoints', e.after ->> 'instalments', e.after ->> 'dueDay', e.after ->> 'purpose')
        = (l.rate_basis_points::text, l.instalments::text, l.due_day::text, l.purpose)
      AND coalesce((e.after ->> 'fromInvestors')::numeric * 100, 0) = l.from_investors
      AND e.after ->> 'takenOverOn' IS NOT DISTINCT FROM l.taken_over_on::text
      AND (e.after ->> 'schedule', e.after ->> 'period', e.after ->> 'dayCount', e.after ->> 'disburseOn', e.after ->> 'firstDueOn')
        = (l.schedule, l.period, l.day_count, l.disburse_on::text, l.first_due_on::text))
  UNION ALL
  SELECT format('Loan %s is %s, but no entry tells why.', l.id, l.status)
  FROM loans AS l WHERE l.closed_at IS NOT NULL AND NOT EXISTS (
    SELECT FROM audit_entries AS e WHERE e.action = CASE l.status WHEN 'WITHDRAWN' THEN 'loan.withdrawn' ELSE 'loan.turnedDown' END
      AND e.subject_id = l.id::text AND e.actor_id = l.closed_by AND e.reason = l.closed_for)
  UNION ALL
  SELECT format('Loan %s was disbursed, but no entry says so.', l.id)
  FROM loans AS l JOIN loan_disbursements AS d ON d.loan_id = l.id WHERE NOT EXISTS (
    SELECT FROM audit_entries AS e WHERE e.action = 'loan.disbursed' AND e.subject_id = l.id::text
      AND (e.after ->> 'networkName', e.after ->> 'evidence', e.after ->> 'disbursedOn') = (d.network_name, d.evidence || coalesce(':' || d.output, ''), d.disbursed_on::text))
  UNION ALL
  SELECT format('Repayment %s of loan %s is not on record.', r.id, r.loan_id)
  FROM loan_repayments AS r WHERE NOT EXISTS (
    SELECT FROM audit_entries AS e WHERE e.action = CASE WHEN r.recovered > 0 THEN 'loan.recovered' ELSE 'loan.repaid' END AND e.subject_id = r.loan_id::text
      AND (e.actor_id = r.recorded_by OR (r.recovered > 0 OR r.agreed_id IS NOT NULL) AND e.actor_id IS NULL)
      AND e.after ->> 'repayment' = r.id::text AND (e.after ->> 'amount')::numeric * 100 = r.principal + r.interest + r.recovered)
  UNION ALL
  SELECT format('The reversal of repayment %s is not on record.', v.repayment_id)
  FROM loan_reversals AS v WHERE NOT EXISTS (
    SELECT FROM audit_entries AS e WHERE e.action = 'loan.repaymentReversed' AND (e.actor_id = v.reversed_by OR v.agreed_id IS NOT NULL AND e.actor_id IS NULL)
      AND e.after ->> 'repayment' = v.repayment_id::text AND e.reason = v.reason)
  UNION ALL
  SELECT format('Loan %s is in default, but no entry tells why.', x.loan_id)
  FROM loan_defaults AS x WHERE NOT EXISTS (
    SELECT FROM audit_entries AS e WHERE e.action = 'loan.defaulted' AND e.subject_id = x.loan_id::text AND e.after ->> 'reason' = x.reason)
  UNION ALL
  SELECT format('The sharing of a loss of $%s was announced for %s, but no entry says so.', x.amount / 100.0, x.counts_at)
  FROM loss_announcements AS x WHERE NOT EXISTS (
    SELECT FROM audit_entries AS e WHERE e.action = 'loss.announced' AND e.subject_id = x.id::text
      AND (e.after ->> 'amount')::numeric * 100 = x.amount AND date_trunc('milliseconds', x.counts_at) = (e.after ->> 'countsAt')::timestamptz)
  UNION ALL
  SELECT format('A loss of $%s was shared, but no entry tells of it after its announced moment.', x.amount / 100.0)
  FROM loss_sharings AS x JOIN loss_announcements AS n USING (id) WHERE x.created_at < n.counts_at OR NOT EXISTS (
    SELECT FROM audit_entries AS a WHERE a.action = 'loss.shared' AND a.subject_id = x.id::text AND (a.after ->> 'amount')::numeric * 100 = x.amount)`
