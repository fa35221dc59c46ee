import type { WithConfig, WithKeys, WithLedger } from '../../http/context.ts'
import { contributeCapital } from './contributeCapital.ts'

/** Gives a sandbox its play capital, once (docs/product.md 4.5). */
export const fundSandbox = async (context: WithConfig & WithKeys & WithLedger): Promise<void> => {
  const { playCapital: amount } = context.config
  if (amount === 0n) return
  await contributeCapital(context, {
    amount,
    note: 'Play capital of the sandbox',
    contributedBy: 'sandbox',
    key: 'sandbox-capital',
  })
}
