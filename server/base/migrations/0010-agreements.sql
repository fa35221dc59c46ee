-- Tables of this district (server/agreements/README.md).

CREATE TABLE proposals (
  id          uuid PRIMARY KEY,
  kind        text NOT NULL,
  subject     text NOT NULL,
  user_id     uuid REFERENCES users,
  payload     jsonb NOT NULL,
  language    text NOT NULL CHECK (language IN ('en', 'es')),
  reason      text NOT NULL,
  asked_by    uuid NOT NULL REFERENCES users,
  asked_at    timestamptz NOT NULL DEFAULT now(),
  status      text NOT NULL DEFAULT 'OPEN' CHECK (status IN ('OPEN', 'RESTING', 'DONE', 'REJECTED',
              'WITHDRAWN', 'STOPPED', 'EXPIRED')),
  alone       boolean NOT NULL DEFAULT false,
  decided_by  uuid REFERENCES users,
  decided_at  timestamptz,
  rests_until timestamptz,
  ended_at    timestamptz,
  by_staff    boolean NOT NULL DEFAULT false,
  CONSTRAINT proposals_are_decided CHECK (
CASE
    WHEN (status = 'OPEN') THEN (decided_at IS NULL)
   
    ELSE ((decided_at IS NOT NULL) OR (status IN ('STOPPED', 'EXPIRED')))
END),
  CONSTRAINT proposals_end CHECK ((status IN ('OPEN', 'RESTING')) = (ended_at IS NULL)),
  CONSTRAINT proposals_name_a_role CHECK ((kind NOT IN ('GRANT', 'REVOKE', 'INVITE'))
    OR COALESCE(((payload ->> 'role') = ANY (ARRAY['USER', 'ADMIN', 'AUDITOR', 'SUPER_ADMIN'])), false)),
  CONSTRAINT proposals_name_a_user CHECK ((kind NOT IN ('GRANT', 'REVOKE', 'SUSPEND', 'RESUME',
    'RESET_FACTORS')) OR (user_id IS NOT NULL)),
  CONSTRAINT proposals_need_two CHECK (
CASE
    WHEN ((decided_at IS NULL)
    OR alone) THEN (decided_by IS NULL)
    ELSE ((decided_by IS NOT NULL)
    AND ((decided_by = asked_by) = (status = 'WITHDRAWN')))
END),
  CONSTRAINT proposals_reason_check CHECK (length(reason) <= 500 AND (length(reason) > 0 OR by_staff)),
  CONSTRAINT proposals_reset_factors_of_others CHECK (kind <> 'RESET_FACTORS' OR (status NOT IN ('RESTING',
    'DONE')) OR (asked_by <> user_id AND (decided_by IS DISTINCT FROM user_id))),
  CONSTRAINT proposals_rest_first CHECK ((status <> 'RESTING' OR (rests_until IS NOT NULL))
    AND (status <> 'DONE' OR (rests_until IS NULL) OR (ended_at >= rests_until)))
);
COMMENT ON TABLE proposals IS
  'What a super admin asked for, and a second one decides about (server/proposals).';
COMMENT ON COLUMN proposals.subject IS 'What it is about. At most one of a kind stands for it.';
COMMENT ON COLUMN proposals.user_id IS 'The user concerned, if any.';
COMMENT ON COLUMN proposals.language IS 'That of the super admin who asked, for mails.';
COMMENT ON COLUMN proposals.status IS
  'RESTING: approved, without effect before rests_until. STOPPED: ended before its effect, though '
  'nobody rejected it. EXPIRED: void, and a later one took its place.';
COMMENT ON COLUMN proposals.alone IS 'True if the only super admin asked, so nobody else decided.';
COMMENT ON COLUMN proposals.ended_at IS 'The moment of its effect, or of its end without one.';
COMMENT ON COLUMN proposals.by_staff IS
  'True if any member of staff may ask and decide. Otherwise super admins do.';
CREATE UNIQUE INDEX proposals_stand_once ON proposals (kind, subject) WHERE ended_at IS NULL;

-- Tables of lower districts refer to these.
ALTER TABLE write_offs ADD CONSTRAINT write_offs_id_fkey FOREIGN KEY (id) REFERENCES proposals;
ALTER TABLE wallets ADD CONSTRAINT wallets_wait_for_a_proposal FOREIGN KEY (proposal_id)
  REFERENCES proposals DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE block_skips ADD CONSTRAINT block_skips_id_fkey FOREIGN KEY (id) REFERENCES proposals;
ALTER TABLE spendings ADD CONSTRAINT spendings_settlement_id_fkey FOREIGN KEY (settlement_id)
  REFERENCES proposals;
ALTER TABLE repayment_files ADD CONSTRAINT repayment_files_proposal_id_fkey FOREIGN KEY (proposal_id)
  REFERENCES proposals;
ALTER TABLE wind_downs ADD CONSTRAINT wind_downs_called_off_id_fkey FOREIGN KEY (called_off_id)
  REFERENCES proposals;
ALTER TABLE wind_downs ADD CONSTRAINT wind_downs_id_fkey FOREIGN KEY (id) REFERENCES proposals;
ALTER TABLE capital_withdrawals ADD CONSTRAINT capital_withdrawals_id_fkey FOREIGN KEY (id)
  REFERENCES proposals;
ALTER TABLE capital_withdrawals ADD CONSTRAINT capital_withdrawals_from_own_address
  FOREIGN KEY (network_name, address) REFERENCES own_addresses (network_name, address);
ALTER TABLE loan_disbursements ADD CONSTRAINT loan_disbursements_id_fkey FOREIGN KEY (id)
  REFERENCES proposals;
ALTER TABLE loan_repayments ADD CONSTRAINT loan_repayments_agreed_id_fkey FOREIGN KEY (agreed_id)
  REFERENCES proposals;
ALTER TABLE loan_restructurings ADD CONSTRAINT loan_restructurings_id_fkey FOREIGN KEY (id)
  REFERENCES proposals;
ALTER TABLE loan_reversals ADD CONSTRAINT loan_reversals_agreed_id_fkey FOREIGN KEY (agreed_id)
  REFERENCES proposals;
ALTER TABLE loan_sendings ADD CONSTRAINT loan_sendings_proposal_id_fkey FOREIGN KEY (proposal_id)
  REFERENCES proposals;
ALTER TABLE loan_sendings ADD CONSTRAINT loan_sendings_release_id_fkey FOREIGN KEY (release_id)
  REFERENCES proposals;
ALTER TABLE loan_write_offs ADD CONSTRAINT loan_write_offs_id_fkey FOREIGN KEY (id) REFERENCES proposals;
ALTER TABLE loss_announcements ADD CONSTRAINT loss_announcements_id_fkey FOREIGN KEY (id)
  REFERENCES proposals;
ALTER TABLE loss_covers ADD CONSTRAINT loss_covers_id_fkey FOREIGN KEY (id) REFERENCES proposals;
ALTER TABLE own_addresses ADD CONSTRAINT own_addresses_proposal_id_fkey FOREIGN KEY (proposal_id)
  REFERENCES proposals;
ALTER TABLE accepted_breaks ADD CONSTRAINT accepted_breaks_proposal_id_fkey FOREIGN KEY (proposal_id)
  REFERENCES proposals;
