-- True for an agreement of two people, of whom neither is one of these.
CREATE OR REPLACE FUNCTION is_agreement(proposal proposals, concerned uuid[]) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT proposal.status = 'DONE' AND NOT proposal.alone AND NOT is_same_person(proposal.asked_by, proposal.decided_by)
    AND NOT EXISTS (SELECT FROM unnest(concerned || proposal.user_id) AS each
      WHERE is_same_person(each, proposal.asked_by) OR is_same_person(each, proposal.decided_by))
$$;

-- The account of the borrower of a loan, if there is one.
CREATE OR REPLACE FUNCTION borrower_account(loan uuid) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT b.user_id FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id WHERE l.id = loan
$$;

-- Refuses to any writer a row without an approval of two people in its own transaction. Arguments:
-- the kind, the column of the proposal and pairs to compare (docs/agreements.md).
CREATE OR REPLACE FUNCTION require_agreement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  fields jsonb := to_jsonb(NEW);
  loan uuid := CASE TG_TABLE_NAME WHEN 'loans' THEN fields ->> 'id' ELSE fields ->> 'loan_id' END;
  is_same boolean := true;
  agreed proposals;
  said jsonb;
  key text;
  value text;
BEGIN
  SELECT * INTO agreed FROM proposals
  WHERE id = coalesce((fields ->> nullif(TG_ARGV[1], ''))::uuid,
    (SELECT id FROM proposals WHERE kind = TG_ARGV[0] AND subject = fields ->> 'id' AND decided_at = now()));
  said := agreed.payload || jsonb_build_object('subject', agreed.subject, 'userId', agreed.user_id);
  FOR at IN 2 .. TG_NARGS - 1 BY 2 LOOP
    key := ltrim(TG_ARGV[at], '$@~');
    value := fields ->> TG_ARGV[at + 1];
    is_same := is_same AND CASE left(TG_ARGV[at], 1)
      WHEN '$' THEN (said ->> key)::numeric * 100 IS NOT DISTINCT FROM value::numeric
      WHEN '@' THEN (said ->> key)::timestamptz IS NOT DISTINCT FROM value::timestamptz
      WHEN '~' THEN lower(said ->> key) IS NOT DISTINCT FROM lower(value)
      ELSE said ->> key IS NOT DISTINCT FROM value END;
  END LOOP;
  IF agreed.kind IS DISTINCT FROM TG_ARGV[0] OR agreed.decided_at <> now() OR NOT is_same
    OR NOT is_agreement(agreed, ARRAY[(fields ->> 'user_id')::uuid, borrower_account(loan)]) THEN
    RAISE EXCEPTION '% of % takes two people', TG_ARGV[0], coalesce(loan::text, fields ->> 'id', fields ->> TG_ARGV[1])
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
