CREATE OR REPLACE TRIGGER pool_tapes_are_final BEFORE UPDATE OR DELETE ON pool_tapes
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER pool_tapes_are_not_truncated BEFORE TRUNCATE ON pool_tapes
  EXECUTE FUNCTION refuse_change();
