-- Two people settle a spending that nothing explains.
ALTER TABLE spendings ADD COLUMN settlement_id uuid REFERENCES proposals;
COMMENT ON COLUMN spendings.settlement_id IS 'The proposal by which two super admins settled it.';
