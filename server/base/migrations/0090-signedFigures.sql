ALTER TABLE pool_figures ADD COLUMN mac text;
COMMENT ON COLUMN pool_figures.mac IS
  'Signature of moment, form and figures by a key of the product. NULL where an earlier release counted them.';
