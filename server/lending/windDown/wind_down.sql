-- The wind-down that is under way, if any.
CREATE OR REPLACE FUNCTION current_wind_down() RETURNS SETOF wind_downs LANGUAGE sql STABLE AS $$
  SELECT * FROM wind_downs WHERE called_off_at IS NULL
$$;

-- Refuses to any writer to take out capital before all that is owed is paid, or beside repayments
-- that two people did not confirm, and to call off a wind-down once capital has left.
CREATE OR REPLACE FUNCTION require_capital_last() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'wind_downs' THEN
    IF EXISTS (SELECT FROM capital_withdrawals WHERE created_at >= OLD.created_at) THEN
      RAISE EXCEPTION 'a wind-down goes on once capital has left' USING ERRCODE = 'restrict_violation';
    END IF;
  ELSIF owed_before_capital() <> 0 OR NOT EXISTS (SELECT FROM current_wind_down())
    OR NOT confirms_repayments((SELECT payload FROM proposals WHERE id = NEW.id)) THEN
    RAISE EXCEPTION 'capital leaves last, and this sum is not free' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

-- Refuses to any writer to end a pause of the wind-down that is under way.
CREATE OR REPLACE FUNCTION keep_wind_down_pause() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM current_wind_down()) THEN
    RAISE EXCEPTION 'the pool winds down, so % stay paused', OLD.name USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

-- Refuses to any writer to pay out a new loan while the pool winds down.
CREATE OR REPLACE FUNCTION refuse_while_winding_down() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM current_wind_down()) THEN
    RAISE EXCEPTION 'the pool winds down, so no loan is paid out' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
