-- Principal at work at a fixed interest. Amounts in cents. ACTIVE, then COMPLETED once; nothing else ever changes.

CREATE TABLE investments (
  id                uuid PRIMARY KEY,
  user_id           uuid NOT NULL REFERENCES users,
  principal         bigint NOT NULL CHECK (principal > 0),
  rate_basis_points integer NOT NULL CHECK (rate_basis_points >= 0),
  interest          bigint NOT NULL CHECK (interest >= 0),
  duration_days     integer NOT NULL CHECK (duration_days > 0),
  status            text NOT NULL CHECK (status IN ('ACTIVE', 'COMPLETED')),
  matures_at        timestamptz NOT NULL,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL
);
CREATE INDEX investments_by_user ON investments (user_id, created_at DESC, id DESC);
CREATE INDEX investments_by_age ON investments (created_at DESC, id DESC);
CREATE INDEX investments_maturing ON investments (matures_at, id) WHERE status = 'ACTIVE';

CREATE TRIGGER investments_complete_once BEFORE UPDATE ON investments FOR EACH ROW
  WHEN (OLD.status <> 'ACTIVE' OR NEW.status <> 'COMPLETED' OR NEW.id <> OLD.id OR NEW.user_id <> OLD.user_id
    OR NEW.principal <> OLD.principal OR NEW.interest <> OLD.interest OR NEW.matures_at <> OLD.matures_at)
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER investments_are_kept BEFORE DELETE ON investments FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER investments_are_not_truncated BEFORE TRUNCATE ON investments EXECUTE FUNCTION refuse_change();
