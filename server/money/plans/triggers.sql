CREATE OR REPLACE TRIGGER plans_take_two BEFORE INSERT ON plans FOR EACH ROW
  EXECUTE FUNCTION require_agreement('PLAN', 'id', 'durationDays', 'duration_days', 'rateBasisPoints', 'rate_basis_points',
    '$least', 'least', '$most', 'most', '$capacity', 'capacity', 'leastRunway', 'least_runway',
    'isOpen', 'is_open', '@startsAt', 'starts_at');
CREATE OR REPLACE TRIGGER plans_start_later BEFORE INSERT ON plans FOR EACH ROW
  WHEN (NEW.starts_at < now()) EXECUTE FUNCTION refuse_change();
