CREATE OR REPLACE TRIGGER borrowers_tell AFTER INSERT ON borrowers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');
CREATE OR REPLACE TRIGGER borrowers_tell_corrected AFTER UPDATE ON borrowers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');

CREATE OR REPLACE TRIGGER borrowers_keep_first_grade AFTER INSERT ON borrowers
  FOR EACH ROW EXECUTE FUNCTION keep_grade();
CREATE OR REPLACE TRIGGER borrowers_keep_grade AFTER UPDATE ON borrowers FOR EACH ROW
  WHEN ((OLD.grade, OLD.grade_reason) IS DISTINCT FROM (NEW.grade, NEW.grade_reason))
  EXECUTE FUNCTION keep_grade();

-- A document is withdrawn once.
CREATE OR REPLACE TRIGGER loan_documents_are_withdrawn BEFORE UPDATE ON loan_documents FOR EACH ROW
  WHEN (OLD.withdrawn_at IS NOT NULL)
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_documents_tell AFTER INSERT ON loan_documents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');
CREATE OR REPLACE TRIGGER loan_documents_tell_withdrawn AFTER UPDATE ON loan_documents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');
