CREATE OR REPLACE TRIGGER liability_leaves_stay_for_30_days BEFORE DELETE ON liability_leaves
  FOR EACH ROW WHEN (OLD.day >= (now() AT TIME ZONE 'UTC')::date - 30) EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER liability_trees_have_come BEFORE INSERT OR UPDATE ON liability_trees
  FOR EACH ROW EXECUTE FUNCTION refuse_future('day');
