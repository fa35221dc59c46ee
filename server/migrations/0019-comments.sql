COMMENT ON TABLE approvals IS
  'Who has approved a deposit or a withdrawal that needs two people. Final.';
COMMENT ON COLUMN operation.entry IS
  'What goes on record with it, signed; posting adds whether it was the last approval.';
