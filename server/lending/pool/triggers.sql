CREATE OR REPLACE TRIGGER pool_figures_have_come BEFORE INSERT OR UPDATE ON pool_figures
  FOR EACH ROW EXECUTE FUNCTION refuse_future('at');
CREATE OR REPLACE TRIGGER pool_tapes_have_come BEFORE INSERT OR UPDATE ON pool_tapes
  FOR EACH ROW EXECUTE FUNCTION refuse_future('day');
