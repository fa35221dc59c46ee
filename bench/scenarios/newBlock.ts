import { setTimeout as wait } from 'node:timers/promises'
import { changeStream } from '@pool/contract/base/changes'
import { deposit } from '@pool/contract/requests/requests'
import { transactionStory } from '@pool/contract/requests/stories'
import { ANVIL_CHAIN, hasAnvil, playToken, startAnvil } from '../../server/testing/anvil.ts'
import { chainsFile } from '../../server/testing/playNode.ts'
import { ask } from '../../server/testing/request.ts'
import { type Figure, median } from '../harness/arithmetic.ts'
import { idOf, tokenOf } from '../harness/people.ts'
import { say } from '../harness/scenario.ts'
import { openStage } from '../harness/stage.ts'

const BLOCKS = 20
/** Milliseconds for which the page collects changes before it asks again. */
const PAGE_BATCH_MS = 250

/** Calls back for each change of a payment that the stream of an investor tells, until `ended`. */
const hearPayments = async (
  url: string,
  token: string,
  { onPayment, ended }: { readonly onPayment: () => void; readonly ended: AbortSignal },
): Promise<void> => {
  const { body } = await fetch(url + changeStream.path, {
    headers: { authorization: `Bearer ${token}` },
    signal: ended,
  })
  const read = async () => {
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? [])
      if (text.includes('"payment"')) onPayment()
  }
  void read().catch(() => undefined)
}

/**
 * From the call that adds a block to Anvil, which pushes it, until the dialog of the deposit has
 * the payment in it: the stream tells, and the page waits for more changes and asks.
 */
export const fromBlockToDialog = async (): Promise<readonly Figure[]> => {
  // Long: one measurement from node to page, in the order of time.
  if (!hasAnvil) {
    say('npm has no Anvil for this machine')
    return []
  }
  const anvil = await startAnvil(['--no-mining'])
  const usdc = await playToken(anvil, 6)
  const CHAINS = chainsFile({
    Ethereum: {
      kind: 'evm',
      url: anvil.url,
      chainId: ANVIL_CHAIN,
      tokens: [{ symbol: 'USDC', contract: usdc.contract, decimals: 6 }],
      // The pause between two looks is the usual one, so that only a push is quick.
      pushUrl: anvil.url.replace('http', 'ws'),
    },
  })
  const stage = await openStage({ people: 1, environment: { CHAINS } })
  const ended = new AbortController()
  try {
    const product = { url: `http://127.0.0.1:${stage.port()}` }
    const [token, userId] = [tokenOf(1), idOf(1)]
    const own = '0x52908400098527886E0F7030069857D2E4169EE7'
    await stage
      .pool()
      .query(
        "INSERT INTO wallets (id, address, network_name, owner_id) VALUES (gen_random_uuid(), $1, 'Ethereum', $2)",
        [own, userId],
      )
    const payload = { userId, amount: 1_000, networkName: 'Ethereum' }
    const asked = await ask(product, deposit, { token, payload })
    const { address, transactionId: id } = asked.body
    let tell: () => void = () => undefined
    await hearPayments(product.url, token, { onPayment: () => tell(), ended: ended.signal })
    const shown = async (amount: string): Promise<boolean> => {
      const { body } = await ask(product, transactionStory, { token, params: { id } })
      return body.payments?.some((each) => each.amount === amount && each.depth !== null) ?? false
    }
    const times: number[] = []
    for (let block = 0; block < BLOCKS; block += 1) {
      await usdc.send(address, BigInt(10 + block) * 1_000_000n)
      let heard = new Promise<void>((resolve) => {
        tell = resolve
      })
      const since = performance.now()
      await anvil.ask('anvil_mine', '0x1')
      do {
        await heard
        heard = new Promise<void>((resolve) => {
          tell = resolve
        })
        await wait(PAGE_BATCH_MS)
      } while (!(await shown(String(10 + block))))
      times.push(performance.now() - since)
    }
    say(`from a block to the dialog, ms: ${times.map(Math.round).join(' ')}`)
    return [
      { name: 'from a pushed block to the dialog, ms', value: median(times), most: 1_000 },
      { name: 'the slowest of 20, ms', value: Math.max(...times) },
    ]
  } finally {
    ended.abort()
    await stage.close()
    await anvil.stop()
  }
}
