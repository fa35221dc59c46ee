import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '@pool/contract/base/endpoints'
import { expect, test } from 'vitest'
import { openMetrics } from '../server/operator/telemetry/metrics.ts'
import { ROOT } from './sources.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const rules = read('docs/alerts.yml')
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)

test('the runbook has a heading for each alert', () => {
  const headings = [...read('docs/runbook.md').matchAll(/^## (\w+)$/gm)].map(
    ([, name = '']) => name,
  )
  expect(headings).toEqual(alerts)
  expect(alerts.length).toBeGreaterThan(10)
})

test('alerts name metrics and routes of the product', async () => {
  const source = `${read('server/operator/telemetry/metrics.ts')}${(await openMetrics().text()).content}`
  const expressions = [...rules.matchAll(/expr: (.+)/g)].map(([, expression = '']) => expression)
  const named = expressions.flatMap((text) =>
    [...text.matchAll(/\b[a-z]+_[a-z0-9_]+\b(?!\()/g)].map(([name]) => name),
  )
  const metrics = named
    .filter((name) => name !== 'histogram_quantile')
    .map((name) => name.replace(/_(count|bucket|sum)$/, ''))
  expect(metrics.filter((name) => !source.includes(name))).toEqual([])
  const paths = Object.values(endpoints).map(({ path }): string => path)
  const routes = expressions.flatMap((text) =>
    [...text.matchAll(/route!?="([^"]+)"/g)].map(([, route = '']) => route),
  )
  expect(routes.filter((route) => !paths.includes(route))).toEqual([])
})

test('the runbook names commands of the product', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const commands = [...read('docs/runbook.md').matchAll(/npm run ([\w:-]+)/g)].map(
    ([, name = '']) => name,
  )
  expect(commands.filter((name) => !(name in scripts))).toEqual([])
})
