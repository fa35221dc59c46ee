-- A version has the terms that two people have just agreed on, and starts no earlier than now.
CREATE OR REPLACE FUNCTION require_two_for_plan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.starts_at < now() OR NOT EXISTS (
    SELECT FROM proposals AS p, jsonb_to_record(p.payload)
      AS terms ("durationDays" integer, "rateBasisPoints" integer, least numeric, most numeric, capacity numeric, "leastRunway" integer, "isOpen" boolean, "startsAt" timestamptz)
    WHERE p.id = NEW.id AND p.kind = 'PLAN' AND p.status = 'DONE' AND p.decided_at = now() AND p.decided_by <> p.asked_by
      AND (terms."durationDays", terms."rateBasisPoints", terms.least * 100, terms.most * 100, terms.capacity * 100, terms."leastRunway", terms."isOpen", terms."startsAt")
        IS NOT DISTINCT FROM (NEW.duration_days, NEW.rate_basis_points, NEW.least::numeric, NEW.most::numeric, NEW.capacity::numeric, NEW.least_runway, NEW.is_open, NEW.starts_at)) THEN
    RAISE EXCEPTION 'plan % is not one that two people agreed on', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
