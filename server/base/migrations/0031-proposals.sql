CREATE TABLE proposals (
  id          uuid PRIMARY KEY,
  kind        text NOT NULL,
  subject     text NOT NULL,
  user_id     uuid REFERENCES users,
  payload     jsonb NOT NULL,
  language    text NOT NULL CHECK (language IN ('en', 'es')),
  reason      text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  asked_by    uuid NOT NULL REFERENCES users,
  asked_at    timestamptz NOT NULL DEFAULT now(),
  status      text NOT NULL DEFAULT 'OPEN'
    CHECK (status IN ('OPEN', 'RESTING', 'DONE', 'REJECTED', 'WITHDRAWN', 'STOPPED', 'EXPIRED')),
  alone       boolean NOT NULL DEFAULT false,
  decided_by  uuid REFERENCES users,
  decided_at  timestamptz,
  rests_until timestamptz,
  ended_at    timestamptz,
  CONSTRAINT proposals_end CHECK ((status IN ('OPEN', 'RESTING')) = (ended_at IS NULL)),
  CONSTRAINT proposals_rest_first CHECK (
    (status <> 'RESTING' OR rests_until IS NOT NULL) AND (status <> 'DONE' OR rests_until IS NULL OR ended_at >= rests_until)),
  CONSTRAINT proposals_are_decided CHECK (CASE WHEN status = 'OPEN' THEN decided_at IS NULL
    ELSE decided_at IS NOT NULL OR status IN ('STOPPED', 'EXPIRED') END),
  CONSTRAINT proposals_need_two CHECK (CASE WHEN decided_at IS NULL OR alone THEN decided_by IS NULL
    ELSE decided_by IS NOT NULL AND (decided_by = asked_by) = (status = 'WITHDRAWN') END),
  CONSTRAINT proposals_reset_factors_of_others CHECK (kind <> 'RESET_FACTORS' OR status NOT IN ('RESTING', 'DONE')
    OR (asked_by <> user_id AND decided_by IS DISTINCT FROM user_id)),
  CONSTRAINT proposals_name_a_user CHECK (
    kind NOT IN ('GRANT', 'REVOKE', 'SUSPEND', 'RESUME', 'RESET_FACTORS') OR user_id IS NOT NULL),
  CONSTRAINT proposals_name_a_role CHECK (kind NOT IN ('GRANT', 'REVOKE', 'INVITE')
    OR coalesce(payload->>'role' IN ('USER', 'ADMIN', 'AUDITOR', 'SUPER_ADMIN'), false))
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

CREATE UNIQUE INDEX proposals_stand_once ON proposals (kind, subject) WHERE ended_at IS NULL;

INSERT INTO proposals
SELECT c.id, c.kind, concat_ws(' ', coalesce(c.user_id::text, i.email), CASE WHEN i.id IS NULL THEN c.role END), c.user_id,
  jsonb_strip_nulls(jsonb_build_object('userId', c.user_id, 'role', c.role, 'email', i.email, 'firstName', i.first_name,
    'lastName', i.last_name, 'country', i.country)),
  coalesce(i.language, 'en'), c.reason, c.asked_by, c.asked_at, state.status, c.status = 'DONE' AND c.decided_by IS NULL,
  c.decided_by, c.decided_at, r.rests_until,
  CASE WHEN state.status NOT IN ('OPEN', 'RESTING') THEN coalesce(r.ended_at, c.decided_at, i.ended_at) END
FROM access_changes AS c LEFT JOIN factor_resets AS r ON r.id = c.id LEFT JOIN invites AS i ON i.id = c.id
CROSS JOIN LATERAL (SELECT CASE
  WHEN c.status IN ('REJECTED', 'WITHDRAWN') THEN c.status
  WHEN r.outcome IS NOT NULL THEN r.outcome
  WHEN r.id IS NOT NULL AND c.status = 'DONE' THEN 'RESTING'
  WHEN c.status = 'OPEN' AND i.ended_at IS NOT NULL THEN 'EXPIRED'
  ELSE c.status END AS status) AS state;

-- An invite is a mailed link from now on. Its person is in the proposal.
ALTER TABLE invites DROP CONSTRAINT invites_id_fkey, DISABLE TRIGGER USER;
DELETE FROM invites WHERE token_digest IS NULL;
ALTER TABLE invites
  ENABLE TRIGGER USER,
  DROP CONSTRAINT invites_have_links_that_end,
  DROP CONSTRAINT invites_are_used_once,
  DROP COLUMN first_name,
  DROP COLUMN last_name,
  DROP COLUMN country,
  DROP COLUMN language,
  ALTER COLUMN token_digest SET NOT NULL,
  ALTER COLUMN expires_at SET NOT NULL,
  ADD CONSTRAINT invites_id_fkey FOREIGN KEY (id) REFERENCES proposals,
  ADD CONSTRAINT invites_are_used_once CHECK (user_id IS NULL OR ended_at IS NOT NULL);
COMMENT ON TABLE invites IS
  'Mailed links of approved invites to the staff. An account is made when one sets a password.';
COMMENT ON COLUMN invites.token_digest IS 'SHA-256 of the token of the mailed link.';

DROP TABLE factor_resets;
DROP TABLE access_changes;
