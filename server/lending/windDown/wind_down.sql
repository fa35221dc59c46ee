-- The wind-down that is under way, if any.
CREATE OR REPLACE FUNCTION current_wind_down() RETURNS SETOF wind_downs LANGUAGE sql STABLE AS $$
  SELECT * FROM wind_downs WHERE called_off_at IS NULL
$$;

-- Refuses to any writer to begin a wind-down, to call it off, or to take out capital without a
-- proposal of two super admins, and capital before all that is owed is paid.
CREATE OR REPLACE FUNCTION require_two_for_wind_down() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  asked uuid := NEW.id;
  wanted text := 'WIND_DOWN';
  agreed proposals;
BEGIN
  IF TG_TABLE_NAME = 'capital_withdrawals' THEN wanted := 'WITHDRAW_CAPITAL';
  ELSIF TG_OP = 'UPDATE' THEN
    wanted := 'END_WIND_DOWN';
    asked := NEW.called_off_id;
  END IF;
  SELECT * INTO agreed FROM proposals AS p
  WHERE p.id = asked AND p.kind = wanted AND p.status = 'DONE' AND NOT p.alone AND p.decided_by <> p.asked_by;
  IF agreed.id IS NULL THEN
    RAISE EXCEPTION '% % takes two super admins', wanted, asked USING ERRCODE = 'restrict_violation';
  END IF;
  IF wanted = 'WITHDRAW_CAPITAL' THEN
    IF (agreed.payload ->> 'amount')::numeric * 100 <> (to_jsonb(NEW) ->> 'amount')::bigint
      OR NOT EXISTS (SELECT FROM current_wind_down() WHERE created_at <= agreed.decided_at)
      OR owed_before_capital() <> 0 OR NOT confirms_repayments(agreed.payload) THEN
      RAISE EXCEPTION 'capital leaves last, and this sum was not agreed or is not free' USING ERRCODE = 'restrict_violation';
    END IF;
  ELSIF wanted = 'END_WIND_DOWN' AND EXISTS (SELECT FROM capital_withdrawals WHERE created_at >= OLD.created_at) THEN
    RAISE EXCEPTION 'a wind-down goes on once capital has left' USING ERRCODE = 'restrict_violation';
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
