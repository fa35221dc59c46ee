import { describe, expect, test } from 'vitest'
import { LIVE as LIVE_IN_TESTS } from '../../testing/live.ts'
import { chainsFile } from '../../testing/playNode.ts'
import { readConfig } from './config.ts'
import { hostInUrl } from './environment.ts'

const LIVE = {
  ...LIVE_IN_TESTS,
  ALLOW_EMBEDDED_IN_LIVE: undefined,
  DATABASE_URL: 'postgres://db.example/pool',
  INTEGRITY_KEY_FILE: '/run/secrets/pool',
}

describe('the file of the chains', () => {
  const BITCOIN = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'
  const PLAY = '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9'
  const contract = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
  const evm = { kind: 'evm', url: 'https://user:hunter22@node.example/k3y', chainId: 1 }
  const bitcoin = { kind: 'bitcoin', url: 'http://127.0.0.1:8332', genesis: BITCOIN }
  const solana = {
    kind: 'solana',
    url: 'https://rpc.example',
    genesis: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  }
  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

  test('is optional, and fills in the rest of an entry', () => {
    expect(readConfig({}).chains).toEqual([])
    const CHAINS = chainsFile({ Bitcoin: bitcoin, Ethereum: evm })
    expect(readConfig({ CHAINS }).chains).toMatchObject([
      { network: 'Bitcoin', pollSeconds: 10, stuckAfterMinutes: 120 },
      { network: 'Ethereum', tokens: [], unfinalAfterMinutes: 60 },
    ])
    expect(readConfig({ ...LIVE, CHAINS }).chains).toHaveLength(2)
    expect(readConfig({ CHAINS, AUTO_CONFIRM_UP_TO: '10000' }).autoConfirmUpTo).toBe(1_000_000n)
    expect(() => readConfig({ CHAINS, AUTO_CONFIRM_UP_TO: '10001' })).toThrow(
      'AUTO_CONFIRM_UP_TO must be at most SECOND_APPROVAL_ABOVE',
    )
    expect(() => readConfig({ AUTO_CONFIRM_UP_TO: '1' })).toThrow('AUTO_CONFIRM_UP_TO needs CHAINS')
  })

  test('has each mistake named in one message', () => {
    const token = { symbol: 'USDC', contract, decimals: 6 }
    const CHAINS = chainsFile({
      Bitcoin: { ...bitcoin, genesis: 'ab'.repeat(32), pollSeconds: 0 },
      Ethereum: { ...evm, url: 'ftp://node', chainID: 1, traces: 'yes' },
      Polygon: { ...bitcoin },
      'Binance Smart Chain': { ...evm, tokens: [token, { ...token, decimals: -1 }] },
      Solana: evm,
      Dogecoin: bitcoin,
    })
    const read = () => readConfig({ CHAINS, PORT: 'http' })
    for (const problem of [
      'PORT must be a whole number',
      'CHAINS: Bitcoin.genesis is the first block of no chain',
      'CHAINS: Bitcoin.pollSeconds must be a whole number from 1 to 3600',
      'CHAINS: Ethereum.url must be an http',
      'CHAINS: Ethereum has no setting chainID',
      'CHAINS: Ethereum.traces must be true or false',
      'CHAINS: Polygon.kind must be evm',
      'CHAINS: Binance Smart Chain.tokens.1.decimals must be 0 or more',
      'CHAINS: Solana.kind must be solana',
      'CHAINS: Dogecoin is no network',
    ])
      expect(read).toThrow(`- ${problem}`)
  })

  test('may name a Solana cluster with its mints', () => {
    const read = (more: object) =>
      readConfig({ CHAINS: chainsFile({ Solana: { ...solana, ...more } }) })
    const token = { symbol: 'USDC', mint, decimals: 6 }
    expect(read({ tokens: [token] }).chains).toEqual([
      {
        ...solana,
        network: 'Solana',
        tokens: [token],
        pollSeconds: 10,
        stuckAfterMinutes: 5,
      },
    ])
    for (const [more, problem] of [
      [{ genesis: BITCOIN }, 'genesis must be the genesis hash of a cluster'],
      [{ chainId: 1 }, ' has no setting chainId'],
      [{ tokens: [{ ...token, mint: contract }] }, 'tokens.0.mint must be the address of a mint'],
      [
        { tokens: [token, { ...token, symbol: 'USDT' }] },
        'tokens must have each symbol and each mint',
      ],
    ] as const)
      expect(() => read(more)).toThrow(
        `- CHAINS: Solana${problem.startsWith(' ') ? '' : '.'}${problem}`,
      )
  })

  test.each([{}, { url: 'http://127.0.0.1:8899' }, { experimental: true }])(
    'names no node of Solana in live mode with %j',
    (more) => {
      const CHAINS = chainsFile({ Bitcoin: bitcoin, Solana: { ...solana, ...more } })
      expect(() => readConfig({ ...LIVE, CHAINS })).toThrow(
        '- CHAINS: Solana is experimental, and a node of it is for a sandbox alone',
      )
    },
  )

  test.each([
    ['/nowhere/chains.json', 'must name a file that the product can read (ENOENT)'],
    [import.meta.filename, 'must name a file with JSON'],
  ])('at %s is named without its text', (CHAINS, problem) => {
    expect(() => readConfig({ CHAINS })).toThrow(`- CHAINS ${problem}\n`.trimEnd())
  })

  test('never shows a password or a key', () => {
    const CHAINS = chainsFile({ Ethereum: { ...evm, url: evm.url.replace('https', 'ssh') } })
    expect(() => readConfig({ CHAINS })).toThrow(/must be an http/)
    expect(() => readConfig({ CHAINS })).not.toThrow(/hunter22|k3y/)
  })

  test('names chains of real coins alone in live mode', () => {
    const CHAINS = chainsFile({
      Bitcoin: { ...bitcoin, genesis: PLAY },
      Ethereum: {
        ...evm,
        chainId: 11_155_111,
        url: 'http://10.0.0.7:8545',
        pushUrl: 'ws://10.0.0.7:8546',
      },
    })
    expect(readConfig({ CHAINS }).chains).toHaveLength(2)
    for (const problem of [
      'Bitcoin.genesis is of a chain for tests',
      'Ethereum.chainId is of a chain for tests',
      'Ethereum.url must be https beyond this machine',
      'Ethereum.pushUrl must be wss beyond this machine',
    ])
      expect(() => readConfig({ ...LIVE, CHAINS })).toThrow(`- CHAINS: ${problem}`)
  })
})

test('every variable has a default', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    poolMode: 'sandbox',
    daySeconds: 86_400,
    confirmAbove: 10_000,
    rateLimits: true,
    allowedOrigins: [],
  })
  expect(readConfig({}).fallbackDepositAddress).toMatch(/^tb1/)
})

test('one message names every wrong variable', () => {
  const read = () =>
    readConfig({
      PORT: 'http',
      POOL_MODE: 'prod',
      SUPPORT_EMAIL: 'nobody',
      DAY_SECONDS: '0',
      ALLOWED_ORIGINS: 'javascript:1',
      TERMS_URL: 'javascript:alert(1)',
      PRIVACY_URL: 'http://example.com/privacy',
    })
  for (const name of [
    'PORT',
    'POOL_MODE',
    'SUPPORT_EMAIL',
    'DAY_SECONDS',
    'ALLOWED_ORIGINS',
    'TERMS_URL',
    'PRIVACY_URL',
  ])
    expect(read).toThrow(new RegExp(`- ${name} must`))
})

test.each(['https://app.example.com/', 'https://app.example.com/path', 'app.example.com', 'null'])(
  '%s is not an origin',
  (origin) => {
    expect(() => readConfig({ ALLOWED_ORIGINS: `https://one.example.com, ${origin}` })).toThrow(
      /ALLOWED_ORIGINS must be origins/,
    )
  },
)

test('the public URL is an origin too', () => {
  expect(readConfig({}).publicUrl).toBe('')
  expect(readConfig({ PUBLIC_URL: 'https://pool.example.com' }).publicUrl).toBe(
    'https://pool.example.com',
  )
  expect(() => readConfig({ PUBLIC_URL: 'https://pool.example.com/' })).toThrow(
    /PUBLIC_URL must be an origin/,
  )
})

test.each(['10.000', '1e4', '0x10', '10,000', '１００００', ' '])(
  '%j is no whole number',
  (text) => {
    expect(() => readConfig({ SECOND_APPROVAL_ABOVE: text })).toThrow(
      /SECOND_APPROVAL_ABOVE must be a whole number from 0 to 10000000, in digits only/,
    )
  },
)

test('several processes share the embedded database’s connections', () => {
  expect(readConfig({}).workers).toBe(1)
  expect(readConfig({ WORKERS: '4' }).workers).toBe(4)
  expect(() => readConfig({ WORKERS: '5' })).toThrow(
    /WORKERS times DATABASE_POOL_SIZE \+ 8 must be at most 120 with the embedded database/,
  )
  expect(readConfig({ WORKERS: '8', DATABASE_POOL_SIZE: '7' }).workers).toBe(8)
  expect(readConfig({ WORKERS: '16', DATABASE_URL: 'postgres://db.example/pool' }).workers).toBe(16)
})

test('several origins are separated by commas', () => {
  const allowed = ['https://one.example.com', 'http://localhost:5173']
  expect(readConfig({ ALLOWED_ORIGINS: allowed.join(', ') }).allowedOrigins).toEqual(allowed)
})

test.each(['true', '1', 'everybody', '10.0.0.0/33', '10.0.0.7, nobody', '0.0.0.0/0'])(
  '%s is no proxy address',
  (proxies) => {
    expect(() => readConfig({ TRUST_PROXY: proxies })).toThrow(
      /TRUST_PROXY must be false, or the IP addresses/,
    )
  },
)

test('proxies are named by address, with none by default', () => {
  expect(readConfig({}).trustProxy).toEqual([])
  expect(readConfig({ TRUST_PROXY: 'loopback, 10.1.0.0/16,2001:db8::1' }).trustProxy).toEqual([
    'loopback',
    '10.1.0.0/16',
    '2001:db8::1',
  ])
})

test('an empty fallback address means none', () => {
  expect(readConfig({ FALLBACK_DEPOSIT_ADDRESS: '' }).fallbackDepositAddress).toBe('')
})

test('database URLs may name several hosts', () => {
  const url =
    'postgres://pool_app:p%40ss@first:5432,second:5433/pool?target_session_attrs=read-write'
  expect(readConfig({ DATABASE_URL: url, DATABASE_DIRECT_URL: url })).toMatchObject({
    databaseUrl: url,
    databaseDirectUrl: url,
  })
  for (const wrong of ['mysql://first/pool', 'postgres://first:x,second/pool', 'first'])
    expect(() => readConfig({ DATABASE_URL: wrong })).toThrow(/DATABASE_URL must be a postgres/)
  expect(() => readConfig({ DATABASE_DIRECT_URL: url })).toThrow(
    /DATABASE_DIRECT_URL must come with DATABASE_URL/,
  )
})

test('a fallback address with a wrong checksum is refused', () => {
  expect(() =>
    readConfig({ FALLBACK_DEPOSIT_ADDRESS: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsy' }),
  ).toThrow(/checksum/)
})

test('a fallback address without an owner is refused', () => {
  expect(() => readConfig({ FALLBACK_DEPOSIT_ADDRESS: 'bc1pfeessrawgf' })).toThrow(
    /FALLBACK_DEPOSIT_ADDRESS is an address without an owner/,
  )
})

describe('live mode', () => {
  test('starts with its own database and no fallback address', () => {
    expect(readConfig({ ...LIVE, LEND_PRINCIPAL: 'true' })).toMatchObject({
      poolMode: 'live',
      fallbackDepositAddress: '',
      lendPrincipal: true,
      lossNoticeHours: 48,
    })
    expect(readConfig(LIVE_IN_TESTS).databaseUrl).toBeUndefined()
  })

  test.each([
    [{ DAY_SECONDS: '2' }, /DAY_SECONDS must be 86400/],
    [{ FALLBACK_DEPOSIT_ADDRESS: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }, /test network/],
    [{ RATE_LIMITS: 'off' }, /RATE_LIMITS must be on/],
    [{ LOSS_NOTICE_HOURS: '23' }, /LOSS_NOTICE_HOURS must be at least 24 when POOL_MODE=live/],
    [{ NEW_WALLETS_PER_IP: '101' }, /NEW_WALLETS_PER_IP must be at most 100 when/],
    [{ NEW_WALLETS_PER_HOUR: '10001' }, /NEW_WALLETS_PER_HOUR must be at most 10000 when/],
    [{ DATABASE_URL: undefined }, /ALLOW_EMBEDDED_IN_LIVE/],
    [
      { HOST: '0.0.0.0' },
      /TRUST_PROXY must name the proxies that do TLS.* or ALLOW_PLAIN_HTTP_IN_LIVE=true/,
    ],
    [{ HOST: '127.0.0.1.example.com' }, /TRUST_PROXY must name/],
    [{ SMTP_URL: undefined }, /SMTP_URL must be set when POOL_MODE=live/],
    [{ MAIL_FROM: undefined }, /MAIL_FROM must be the address/],
    [{ PUBLIC_URL: undefined }, /PUBLIC_URL must be set when POOL_MODE=live/],
    [{ INTEGRITY_KEY_FILE: undefined }, /INTEGRITY_KEY_FILE must be set/],
  ])('refuses %j', (changes, sentence) => {
    expect(() => readConfig({ ...LIVE, ...changes })).toThrow(sentence)
  })

  test.each([
    [{ HOST: '127.0.0.2' }, false],
    [{ HOST: '::1' }, false],
    [{ HOST: '0.0.0.0', TRUST_PROXY: '10.0.0.7' }, true],
    [{ HOST: '0.0.0.0', ALLOW_PLAIN_HTTP_IN_LIVE: 'true' }, false],
    [{ TRUST_PROXY: 'loopback', ALLOW_PLAIN_HTTP_IN_LIVE: 'true' }, false],
  ])('starts with %j and https only: %s', (changes, httpsOnly) => {
    expect(readConfig({ ...LIVE, ...changes }).httpsOnly).toBe(httpsOnly)
  })

  test('serves the OpenAPI page only on request', () => {
    expect([readConfig(LIVE).apiDocs, readConfig({ ...LIVE, API_DOCS: 'on' }).apiDocs]).toEqual([
      false,
      true,
    ])
    expect([readConfig({}).apiDocs, readConfig({ API_DOCS: 'off' }).apiDocs]).toEqual([true, false])
  })
})

test('a sandbox may listen anywhere over plain http', () => {
  expect(readConfig({ HOST: '0.0.0.0', TRUST_PROXY: '10.0.0.7' }).httpsOnly).toBe(false)
})

test('live mode limits new wallets and a sandbox may', () => {
  expect(readConfig(LIVE).newWallets).toEqual({ perIp: 5, perHour: 100 })
  expect(
    readConfig({ ...LIVE, NEW_WALLETS_PER_IP: '100', NEW_WALLETS_PER_HOUR: '10000' }).newWallets,
  ).toEqual({
    perIp: 100,
    perHour: 10_000,
  })
  expect(readConfig({}).newWallets).toBeUndefined()
  expect(readConfig({ NEW_WALLETS_PER_IP: '200' }).newWallets).toEqual({ perIp: 200, perHour: 100 })
  expect(readConfig({ NEW_WALLETS_PER_HOUR: '7' }).newWallets).toEqual({ perIp: 5, perHour: 7 })
  expect(readConfig({ NEW_WALLETS_PER_HOUR: '7', RATE_LIMITS: 'off' }).newWallets).toBeUndefined()
})

test('a sandbox keeps mails unless SMTP is set', () => {
  const set = { SMTP_URL: 'smtp://localhost:2525', MAIL_FROM: 'pool@example.com' }
  expect(readConfig({})).toMatchObject({ mail: undefined, linkOrigin: 'http://localhost:3000' })
  expect(readConfig(set).mail).toEqual({ smtpUrl: set.SMTP_URL, from: set.MAIL_FROM })
  expect(() => readConfig({ SMTP_URL: set.SMTP_URL })).toThrow(/MAIL_FROM must be the address/)
  for (const SMTP_URL of ['mail.example.com', 'http://mail.example.com', 'smtp:///'])
    expect(() => readConfig({ ...set, SMTP_URL })).toThrow(/SMTP_URL must be a URL such as/)
})

test.each([
  ['127.0.0.1', 'localhost'],
  ['::', 'localhost'],
  ['0.0.0.0', 'localhost'],
  ['2001:db8::1', '[2001:db8::1]'],
  ['pool.example.com', 'pool.example.com'],
])('a server on %s is found at %s', (host, found) => {
  expect(hostInUrl(host)).toBe(found)
  expect(URL.canParse(`http://${hostInUrl(host)}:3000`)).toBe(true)
})
