-- A link ends once, and never lives longer than it was given.
CREATE OR REPLACE TRIGGER links_end_once BEFORE UPDATE ON links FOR EACH ROW
  WHEN (OLD.ended_at IS NOT NULL OR NEW.expires_at > OLD.expires_at
    OR (OLD.id, OLD.kind, OLD.user_id, OLD.address, OLD.token_digest, OLD.created_at)
      IS DISTINCT FROM (NEW.id, NEW.kind, NEW.user_id, NEW.address, NEW.token_digest, NEW.created_at))
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER email_links_are_links INSTEAD OF INSERT ON email_links
  FOR EACH ROW EXECUTE FUNCTION add_link_by_old_name();
CREATE OR REPLACE TRIGGER freeze_links_are_links INSTEAD OF INSERT ON freeze_links
  FOR EACH ROW EXECUTE FUNCTION add_link_by_old_name();
CREATE OR REPLACE TRIGGER password_resets_are_links INSTEAD OF INSERT ON password_resets
  FOR EACH ROW EXECUTE FUNCTION add_link_by_old_name();
