import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { firstLoad } from '../web/firstLoad.ts'
import type { Storage } from './fill.ts'

/** Lighthouse's result for one load: scores from 0 to 100, milliseconds, bytes. */
export type Measured = {
  readonly performance: number
  readonly accessibility: number
  readonly bestPractices: number
  readonly seo: number
  readonly largestContentfulPaint: number
  readonly cumulativeLayoutShift: number
  readonly totalBlockingTime: number
  /** The gzipped JavaScript of the first load, requested and inline. */
  readonly script: number
  /** The audits that keep a category from 100. */
  readonly complaints: readonly string[]
}

/** Loads a page once in a fresh browser, as Lighthouse's mobile phone, with `storage` in place. */
export const measurePage = async (url: string, storage: Storage | undefined): Promise<Measured> => {
  const directory = mkdtempSync(join(tmpdir(), 'pool-bench-'))
  const browser = await chromium.launchPersistentContext(directory, {
    ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
    args: [
      '--remote-debugging-port=0',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  })
  try {
    const page = await browser.newPage()
    // This page has no script, so none reads the storage before it is complete.
    await page.goto(new URL('/robots.txt', url).href)
    await page.evaluate((entries) => {
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
    }, storage ?? {})
    const port = Number(readFileSync(join(directory, 'DevToolsActivePort'), 'utf8').split('\n')[0])
    return await read(await lighthouse(url, { port, disableStorageReset: true, logLevel: 'error' }))
  } finally {
    await browser.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

type Result = Awaited<ReturnType<typeof lighthouse>>

const read = async (result: Result): Promise<Measured> => {
  if (!result) throw new Error('Lighthouse measured nothing')
  const { categories, audits, finalDisplayedUrl } = result.lhr
  const score = (category: string) => Math.round((categories[category]?.score ?? 0) * 100)
  const figure = (audit: string) => audits[audit]?.numericValue ?? Number.NaN
  const imperfect = Object.values(categories)
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    seo: score('seo'),
    largestContentfulPaint: Math.round(figure('largest-contentful-paint')),
    cumulativeLayoutShift: Math.round(figure('cumulative-layout-shift') * 1_000) / 1_000,
    totalBlockingTime: Math.round(figure('total-blocking-time')),
    script: await scriptBytes(finalDisplayedUrl, requestedScripts(audits)),
    complaints: [...new Set(imperfect.map(({ id }) => id))],
  }
}

type Request = {
  readonly url: string
  readonly resourceType: string
  readonly networkRequestTime: number
}

const requestedScripts = (audits: NonNullable<Result>['lhr']['audits']): readonly string[] => {
  const details = audits['network-requests']?.details
  const requests = details && 'items' in details ? (details.items as readonly Request[]) : []
  const asked = requests
    .filter(({ resourceType }) => resourceType === 'Script')
    .toSorted((one, other) => one.networkRequestTime - other.networkRequestTime)
  return firstLoad([...new Set(asked.map(({ url }) => url))])
}

const textOf = async (url: string): Promise<string> => (await fetch(url)).text()

const scriptBytes = async (page: string, scripts: readonly string[]): Promise<number> => {
  const document = await textOf(page)
  const inline = [
    ...document.matchAll(/<script\b(?![^>]*application\/json)[^>]*>([\s\S]+?)<\/script>/g),
  ].map(([, text = '']) => text)
  const texts = [...inline, ...(await Promise.all(scripts.map(textOf)))]
  return texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0)
}
