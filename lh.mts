import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { dataDirectory } from './server/testing/process.ts'
import { fill } from './bench/fill.ts'
const data = dataDirectory()
try {
  const environment = { DATA_DIR: data.dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'warn', SUPER_ADMIN_PASSWORD: crypto.randomUUID() }
  const product = await data.start(environment)
  const sessions = await fill(environment, 1000)
  for (const [path, by] of [['/login', undefined], ['/dashboard','investor'],['/admin','staff']] as const) {
    const directory = mkdtempSync(join(tmpdir(), 'pool-bench-'))
    const browser = await chromium.launchPersistentContext(directory, { executablePath: '/usr/bin/chromium', args: ['--remote-debugging-port=0', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update'] })
    const page = await browser.newPage()
    await page.goto(product.url + '/robots.txt')
    await page.evaluate((e) => { for (const [k, v] of Object.entries(e)) localStorage.setItem(k, v as string) }, (by ? sessions[by] : {}) as any)
    const port = Number(readFileSync(join(directory, 'DevToolsActivePort'), 'utf8').split('\n')[0])
    const result = await lighthouse(product.url + path, { port, disableStorageReset: true, logLevel: 'error', onlyCategories: ['performance'] })
    const a = result!.lhr.audits
    const n = (k: string) => Math.round(a[k]?.numericValue ?? -1)
    console.log(path, 'score', result!.lhr.categories.performance!.score, 'FCP', n('first-contentful-paint'), 'LCP', n('largest-contentful-paint'), 'TBT', n('total-blocking-time'), 'SI', n('speed-index'), 'CLS', a['cumulative-layout-shift']?.numericValue)
    const m = (a['metrics']?.details as any)?.items?.[0]; console.log('  observed FCP', m?.observedFirstContentfulPaint, 'LCP', m?.observedLargestContentfulPaint, 'load', m?.observedLoad)
    console.log('  ', JSON.stringify((a['lcp-breakdown-insight']?.details as any)?.items?.map((i: any) => i.snippet ?? i.items ?? i.type))?.slice(0, 700))
    console.log('  ', JSON.stringify((a['mainthread-work-breakdown']?.details as any)?.items?.map((i: any) => [i.groupLabel, Math.round(i.duration)])))
    console.log('  ', JSON.stringify((a['long-tasks']?.details as any)?.items?.map((i: any) => [i.url?.split('/').pop(), Math.round(i.startTime), Math.round(i.duration)])))
    const reqs = (a['network-requests']?.details as any)?.items ?? []
    console.log('  ', reqs.map((r: any) => `${r.url.split('/').pop().slice(0, 24)} ${Math.round(r.networkRequestTime)}-${Math.round(r.networkEndTime)} ${r.priority} ${(r.transferSize / 1000).toFixed(1)}`).join(' | ').slice(0, 4500))
    await browser.close()
  }
  await product.end('SIGTERM')
} finally { await data.remove() }
