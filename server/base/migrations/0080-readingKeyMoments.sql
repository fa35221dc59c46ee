-- The database gives a key for reading its moment, so that SQL brings no ended one back.
ALTER TABLE reading_keys ALTER COLUMN made_at SET DEFAULT now();
