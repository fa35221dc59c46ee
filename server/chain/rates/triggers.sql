CREATE OR REPLACE TRIGGER rates_have_come BEFORE INSERT OR UPDATE ON rates
  FOR EACH ROW EXECUTE FUNCTION refuse_future('created_at');
-- One person sets a rate of play coins.
CREATE OR REPLACE TRIGGER rates_are_set_by_two BEFORE INSERT ON rates FOR EACH ROW
  WHEN (NEW.source = 'SET' AND is_live())
  EXECUTE FUNCTION require_agreement('SET_RATE', 'id', 'coin', 'coin', 'dollars', 'dollars');
