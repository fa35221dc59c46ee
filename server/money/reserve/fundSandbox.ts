import { centsFromDollars } from '@pool/contract/base/money'
import type { WithKeys, WithLedger } from '../../http/context.ts'
import { contributeCapital } from './contributeCapital.ts'

/** Initial reserve of a sandbox, in dollars (docs/product.md 4.5). */
const SANDBOX_CAPITAL = 100_000

/** Gives a sandbox its play capital, once. */
export const fundSandbox = (context: WithKeys & WithLedger): Promise<void> =>
  contributeCapital(context, {
    amount: centsFromDollars(SANDBOX_CAPITAL),
    note: 'Play capital of the sandbox',
    contributedBy: 'sandbox',
    key: 'sandbox-capital',
  })
