CREATE OR REPLACE TRIGGER proposals_end_once BEFORE UPDATE ON proposals FOR EACH ROW
  WHEN (OLD.ended_at IS NOT NULL OR OLD.status <> 'OPEN' AND (NEW.status = 'OPEN'
    OR to_jsonb(OLD) - '{status,ended_at}'::text[] IS DISTINCT FROM to_jsonb(NEW) - '{status,ended_at}'::text[]))
  EXECUTE FUNCTION refuse_change();
