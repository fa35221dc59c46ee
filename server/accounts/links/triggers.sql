-- A link ends once, and never lives longer than it was given.
CREATE OR REPLACE TRIGGER links_end_once BEFORE UPDATE ON links FOR EACH ROW
  WHEN (OLD.ended_at IS NOT NULL OR NEW.expires_at > OLD.expires_at)
  EXECUTE FUNCTION refuse_change();
