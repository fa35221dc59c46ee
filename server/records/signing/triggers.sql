CREATE OR REPLACE TRIGGER signing_keys_are_final BEFORE UPDATE OR DELETE ON signing_keys
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER signing_keys_are_not_truncated BEFORE TRUNCATE ON signing_keys
  EXECUTE FUNCTION refuse_change();
