/** The things that entries of the audit trail are about. */

/**
 * A pause is a `switch` here, and a payout address a `payout`: signed entries hold these words.
 */
export const auditSubjects = [
  'user',
  'wallet',
  'transaction',
  'contribution',
  'switch',
  'limits',
  'mode',
  'key',
  'rate',
  'arrival',
  'borrower',
  'loan',
  'loss',
  'alarm',
  'fee',
  'custody',
  'batch',
  'plan',
  'signingKey',
  'liabilities',
  'windDown',
  'statement',
  'chain',
] as const
export type AuditSubject = (typeof auditSubjects)[number]
