/** Losses of investors' principal (docs/product.md 5.32). */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'

const lossBookSchema = z.object({
  /** Names the open loss to end. Null without one. */
  lossId: idSchema.nullable(),
  /** The sum that nothing bears yet. Investing and withdrawals wait until it is none. */
  open: dollarsSchema,
  /** The free reserve, which must cover it. */
  free: dollarsSchema,
  /** The principal of all investments, which can share it. */
  invested: dollarsSchema,
  /** The hours from an approval to the moment at which a loss is shared. */
  noticeHours: z.number().int(),
  /** The moment at which this loss is shared, where that is agreed and announced. */
  sharedAt: timestampSchema.nullable(),
  /** Write-offs of loans that investors' principal funds. */
  lines: z.array(
    z.object({
      loanId: idSchema,
      borrower: z.string(),
      at: timestampSchema,
      /** The operator's part of the loan. */
      capital: dollarsSchema,
      /** The part of investors' principal that the free reserve bore. */
      covered: dollarsSchema,
      /** The rest, which was an open loss. */
      lost: dollarsSchema,
      /** The rest is still open, or was borne by the operator or by all investments. */
      borneBy: z.enum(['open', 'capital', 'investments']),
      /** The part of it that recoveries gave back to those who bore it. */
      returned: dollarsSchema,
    }),
  ),
})
export type LossBook = z.infer<typeof lossBookSchema>

export const listLosses = {
  method: 'GET',
  path: '/api/v1/admin/losses',
  access: 'staff',
  summary:
    'Show the open loss of investors’ principal, and the newest 100 write-offs of loans that it funds, with who bore them, and when an announced loss is shared',
  body: lossBookSchema,
} as const satisfies Endpoint
