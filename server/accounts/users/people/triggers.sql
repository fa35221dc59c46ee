CREATE OR REPLACE TRIGGER notes_are_kept BEFORE DELETE ON notes
  FOR EACH ROW EXECUTE FUNCTION refuse_change_unless_closed();
CREATE OR REPLACE TRIGGER notes_of_open_accounts BEFORE INSERT ON notes
  FOR EACH ROW EXECUTE FUNCTION require_open_account();
