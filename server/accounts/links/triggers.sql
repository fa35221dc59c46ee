-- A link ends once, and never lives longer than it was given.
CREATE OR REPLACE TRIGGER links_end_once BEFORE UPDATE ON links FOR EACH ROW
  WHEN (OLD.ended_at IS NOT NULL OR NEW.expires_at > OLD.expires_at
    OR (OLD.id, OLD.kind, OLD.user_id, OLD.address, OLD.token_digest, OLD.created_at)
      IS DISTINCT FROM (NEW.id, NEW.kind, NEW.user_id, NEW.address, NEW.token_digest, NEW.created_at))
  EXECUTE FUNCTION refuse_change();
