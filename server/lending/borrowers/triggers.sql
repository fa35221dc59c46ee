-- A correction changes facts, and the audit trail has each version of them.
CREATE OR REPLACE TRIGGER borrowers_are_kept BEFORE DELETE ON borrowers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER borrowers_stay_recorded BEFORE UPDATE ON borrowers FOR EACH ROW
  WHEN ((OLD.id, OLD.recorded_by, OLD.created_at) IS DISTINCT FROM (NEW.id, NEW.recorded_by, NEW.created_at))
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER borrowers_are_not_truncated BEFORE TRUNCATE ON borrowers
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER borrowers_tell AFTER INSERT ON borrowers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');
CREATE OR REPLACE TRIGGER borrowers_tell_corrected AFTER UPDATE ON borrowers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');

CREATE OR REPLACE TRIGGER borrowers_keep_first_grade AFTER INSERT ON borrowers
  FOR EACH ROW EXECUTE FUNCTION keep_grade();
CREATE OR REPLACE TRIGGER borrowers_keep_grade AFTER UPDATE ON borrowers FOR EACH ROW
  WHEN ((OLD.grade, OLD.grade_reason) IS DISTINCT FROM (NEW.grade, NEW.grade_reason))
  EXECUTE FUNCTION keep_grade();
CREATE OR REPLACE TRIGGER borrower_grades_are_final BEFORE UPDATE OR DELETE ON borrower_grades
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER borrower_grades_are_not_truncated BEFORE TRUNCATE ON borrower_grades
  EXECUTE FUNCTION refuse_change();

-- A document is withdrawn once, and stays.
CREATE OR REPLACE TRIGGER loan_documents_are_withdrawn BEFORE UPDATE ON loan_documents FOR EACH ROW
  WHEN (OLD.withdrawn_at IS NOT NULL
    OR (OLD.id, OLD.borrower_id, OLD.loan_id, OLD.title, OLD.sha256, OLD.link, OLD.recorded_by, OLD.created_at)
      IS DISTINCT FROM (NEW.id, NEW.borrower_id, NEW.loan_id, NEW.title, NEW.sha256, NEW.link, NEW.recorded_by, NEW.created_at))
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_documents_are_kept BEFORE DELETE ON loan_documents
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_documents_are_not_truncated BEFORE TRUNCATE ON loan_documents
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_documents_tell AFTER INSERT ON loan_documents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');
CREATE OR REPLACE TRIGGER loan_documents_tell_withdrawn AFTER UPDATE ON loan_documents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');
