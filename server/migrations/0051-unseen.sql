COMMENT ON COLUMN payments.output IS
  'The output of Bitcoin, the ordinal of the log in its receipt on EVM networks, -1 for their own coin, '
  'and from -2 down for their coin sent by a contract.';
