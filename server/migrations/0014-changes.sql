-- What changes is told to every process that listens to `changes`, when and only when it is committed, so that it appears on screens by
-- itself. A notification is a list of [user, noun, row, type, status, cents]; of nouns without an owner's money only the noun is told.

-- One notification for 50 changes: the longest is 140 bytes long, and PostgreSQL carries less than 8,000 at once.
CREATE FUNCTION tell_changes(changes text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('changes', '[' || string_agg(change, ',' ORDER BY at) || ']')
  FROM unnest(changes) WITH ORDINALITY AS c (change, at) GROUP BY (at - 1) / 50 ORDER BY (at - 1) / 50;
END $$;

CREATE FUNCTION tell_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_changes(ARRAY(SELECT format('["%s","transaction","%s","%s","%s",%s]', user_id, id, type, status, amount) FROM changed));
  RETURN NULL;
END $$;

CREATE FUNCTION tell_investments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_changes(ARRAY(SELECT format('["%s","investment","%s","investment","%s",%s]', user_id, id, status, principal) FROM changed));
  RETURN NULL;
END $$;

CREATE FUNCTION tell_noun() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM changed) THEN PERFORM tell_changes(ARRAY[format('[null,"%s"]', TG_ARGV[0])]); END IF;
  RETURN NULL;
END $$;

-- Whose sessions were ended: what is open in their name is looked at again.
CREATE FUNCTION tell_ended_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_changes(ARRAY(SELECT DISTINCT format('["%s","session"]', user_id) FROM changed));
  RETURN NULL;
END $$;

-- By statement, not by row: the money path writes hundreds of rows at once.
CREATE TRIGGER transactions_tell_new AFTER INSERT ON transactions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_transactions();
CREATE TRIGGER transactions_tell_decided AFTER UPDATE ON transactions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_transactions();
CREATE TRIGGER investments_tell_new AFTER INSERT ON investments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_investments();
CREATE TRIGGER investments_tell_completed AFTER UPDATE ON investments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_investments();
CREATE TRIGGER wallets_tell_new AFTER INSERT ON wallets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('wallet');
CREATE TRIGGER wallets_tell_assigned AFTER UPDATE ON wallets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('wallet');
CREATE TRIGGER wallets_tell_deleted AFTER DELETE ON wallets REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('wallet');
CREATE TRIGGER users_tell_new AFTER INSERT ON users REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('user');
CREATE TRIGGER sessions_tell_ended AFTER DELETE ON sessions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_ended_sessions();
