-- Keeps each grade of a borrower with its author, also once a correction gives another.
CREATE OR REPLACE FUNCTION keep_grade() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO borrower_grades (borrower_id, number, grade, reason, graded_by, graded_at)
  VALUES (NEW.id, coalesce((SELECT max(number) FROM borrower_grades WHERE borrower_id = NEW.id), 0) + 1,
    NEW.grade, NEW.grade_reason, coalesce(NEW.graded_by, NEW.recorded_by), coalesce(NEW.graded_at, NEW.created_at));
  RETURN NULL;
END $$;
