import { expect, type Page } from '@playwright/test'
import { AS_OF_HEADER } from '@pool/contract/base/lists'
import { listAudit } from '@pool/contract/reports/audit'
import { dataDirectory } from '../server/testing/process.ts'
import { startReplication } from '../server/testing/standby.ts'
import { test } from './fixtures.ts'
import { PREPARED } from './ownProduct.ts'
import { type Session, SUPER_ADMIN } from './people.ts'
import { openPool, type Pool } from './pool.ts'
import { expectAccessible } from './steps.ts'

/** Staff read that later pages and exports of long lists are some seconds behind. */

const ENTRIES = 120

// One product and one standby serve both.
test.describe.configure({ mode: 'default' })

let directory: ReturnType<typeof dataDirectory> | undefined
let replication: Awaited<ReturnType<typeof startReplication>> | undefined
let product: Pool
let admin: Session

test.beforeAll(async ({ request }) => {
  // The embedded database of a first start becomes the primary and its standby.
  directory = dataDirectory(PREPARED)
  replication = await startReplication(directory.dataDir)
  const { primaryUrl, standby, database } = replication
  const { url } = await directory.start({
    DATABASE_URL: primaryUrl,
    DATABASE_REPLICA_URL: standby.url,
  })
  await database.superuser.query(
    `INSERT INTO audit_entries (actor, action, subject_type, subject_id, source, nonce, mac)
    SELECT 'operator', 'wallet.added', 'wallet', n::text, 'operator', gen_random_uuid(), 'x' FROM generate_series(1, ${ENTRIES}) AS n`,
  )
  product = openPool({ url, dataDir: directory.dataDir })
  admin = await product.signIn(SUPER_ADMIN.email, SUPER_ADMIN.password)
  const exported = `${url}${listAudit.path}?limit=1&mayLag=true`
  const headers = { authorization: `Bearer ${admin.token}` }
  await expect
    .poll(async () => (await request.get(exported, { headers })).headers()[AS_OF_HEADER])
    .toBeDefined()
  await standby.catchUp()
})
test.afterAll(async () => {
  await product?.close()
  await directory?.stop()
  await replication?.database.close()
  await directory?.remove()
})

const words = {
  en: { next: 'Next', export: 'Export CSV', age: /^As of .*:\d\d.*, up to 5 seconds behind$/ },
  es: {
    next: 'Siguiente',
    export: 'Exportar CSV',
    age: /^Datos de las .*:\d\d.*, con hasta 5 segundos de retraso$/,
  },
} as const

/** The pager's sentence, and that beside the export. */
const agesOn = (page: Page) => page.getByRole('status').filter({ hasText: /\b5 se/ })

for (const [locale, width] of [
  ['en', 1280],
  ['es', 375],
] as const)
  test(`rows say how old they are (${locale}, ${width} px)`, async ({ open }) => {
    const page = await open(admin, '/admin/audit', {
      at: product,
      viewport: { width, height: 812 },
      own: { locale },
    })
    await expect(page.getByRole('button', { name: words[locale].next })).toBeVisible()
    await expect(agesOn(page)).toHaveCount(0)

    await page.getByRole('button', { name: words[locale].next }).click()
    await expect(agesOn(page)).toHaveText([words[locale].age])
    await expectAccessible(page, 'a later page')

    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: words[locale].export }).click()
    await saving
    await expect(agesOn(page)).toHaveCount(2)
    await expectAccessible(page, 'an export')
  })
