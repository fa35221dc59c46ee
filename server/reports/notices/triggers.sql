-- transactions_tell_decided tells of decisions about money. Notes and requests are of staff alone.
CREATE OR REPLACE TRIGGER audit_entries_tell_owner AFTER INSERT ON audit_entries FOR EACH ROW
  WHEN (NEW.owner_id IS NOT NULL AND NEW.subject_type <> 'transaction'
    AND NEW.action <> ALL ('{session.started,session.refused,session.ended,factor.refused,note.added,agreement.asked,agreement.approved,agreement.declined}'::text[]))
  EXECUTE FUNCTION tell_notice('owner_id');
CREATE OR REPLACE TRIGGER notice_settings_tell_read AFTER INSERT OR UPDATE OF read_until ON notice_settings
  FOR EACH ROW EXECUTE FUNCTION tell_notice('user_id');
CREATE OR REPLACE TRIGGER notice_mailing_has_come BEFORE INSERT OR UPDATE ON notice_mailing
  FOR EACH ROW EXECUTE FUNCTION refuse_future('until');
