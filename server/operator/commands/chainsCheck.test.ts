import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { ANVIL_CHAIN, type Anvil, hasAnvil, startAnvil } from '../../testing/anvil.ts'
import { SETTINGS } from '../../testing/client.ts'
import { chainsFile } from '../../testing/playNode.ts'
import { connectTo, dataDirectory } from '../../testing/process.ts'

describe.skipIf(!hasAnvil)('the command that compares coins', () => {
  let anvil: Anvil
  let directory: ReturnType<typeof dataDirectory>
  beforeEach(async () => {
    anvil = await startAnvil()
    const evm = { kind: 'evm', url: anvil.url, chainId: ANVIL_CHAIN, pollSeconds: 1 }
    directory = dataDirectory(inject('preparedData'), {
      ...SETTINGS,
      CHAINS: chainsFile({ Ethereum: evm }),
      BREAK_LIMIT: '0',
    })
  })
  afterEach(async () => {
    await directory.remove()
    await anvil.stop()
  })

  test('ends with 1 at a break, which it names', async () => {
    await directory.start()
    const { pool: client, close } = connectTo(directory)
    const address = newAddress('Ethereum')
    const owner = '(SELECT id FROM users LIMIT 1)'
    await client.query(
      `BEGIN; SET LOCAL session_replication_role = replica;
       INSERT INTO wallets (id, address, network_name, owner_id) VALUES (gen_random_uuid(), '${address}', 'Ethereum', ${owner}); COMMIT`,
    )
    const isRead = async () => {
      await anvil.ask('anvil_mine', '0x1')
      const { rows } = await client.query(
        "SELECT FROM chains WHERE state = 'FINE' AND final_height > 0",
      )
      expect(rows).toHaveLength(1)
    }
    await anvil.ask('anvil_mine', '0x44')
    await vi.waitFor(isRead, { timeout: 60_000, interval: 200 })
    const whole = await directory.command('chainsCheck')
    expect(whole).toMatchObject({ code: 0 })
    expect(whole.text).toMatch(/ETH deposit: chain 0, books 0\n.*The coins match the books/s)

    await anvil.ask('anvil_setBalance', address, '0x5')
    const { rows } = await client.query('SELECT max(height)::int AS height FROM chain_blocks')
    await anvil.ask('anvil_mine', '0x44')
    const isFinal = async () => {
      const { rows: found } = await client.query('SELECT FROM chains WHERE final_height > $1', [
        rows[0].height,
      ])
      expect(found).toHaveLength(1)
    }
    await vi.waitFor(isFinal, { timeout: 60_000, interval: 200 })
    const broken = await directory.command('chainsCheck')
    expect(broken).toMatchObject({ code: 1 })
    expect(broken.text).toMatch(/BREAK: 0\.000000000000000005/)
    expect(broken.text).toContain('Coins differ from the books. Withdrawals are paused.')
    expect((await directory.command('pauses', 'resume', 'withdrawals')).code).toBe(1)
    await close()
  })

  test('reads a network again after an absurd answer', async () => {
    await directory.start()
    const { pool: client, close } = connectTo(directory)
    const stateIs = (state: unknown) =>
      vi.waitFor(
        async () => {
          await anvil.ask('anvil_mine', '0x1')
          const { rows } = await client.query('SELECT state FROM chains')
          expect(rows).toEqual([{ state }])
        },
        { timeout: 60_000, interval: 200 },
      )
    await anvil.ask('anvil_mine', '0x44')
    await stateIs('FINE')
    await client.query(
      `UPDATE chain_blocks SET height = height + 1000000, hash = hash || 'absurd';
       UPDATE chains SET final_height = final_height + 1000000, read_height = read_height + 1000000`,
    )
    await stateIs(expect.stringMatching('LYING|BEHIND'))
    // A round that was under way may have written one more block.
    await client.query(
      "UPDATE chain_blocks SET hash = hash || 'absurd' WHERE hash NOT LIKE '%absurd'",
    )
    const reset = (...words: string[]) =>
      directory.command('chains', 'reset', 'ethereum', '--reason', 'An absurd answer', ...words)
    expect((await reset()).text).toContain('Name one of its blocks: --from')
    expect(await reset('--from', '3')).toMatchObject({
      code: 0,
      text: expect.stringContaining('Ethereum is read again above block 3'),
    })
    await stateIs('FINE')
    const { rows } = await client.query(
      "SELECT after, reason FROM audit_entries WHERE action = 'chain.reset'",
    )
    expect(rows).toEqual([
      { after: { networkName: 'Ethereum', height: 3 }, reason: 'An absurd answer' },
    ])
    await close()
  })
})
