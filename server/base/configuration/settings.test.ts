/** Makes the table of settings in docs/operating.md from the code that reads them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { environmentSchema } from './environment.ts'

const FILE = fileURLToPath(new URL('../../../docs/operating.md', import.meta.url))
const TABLE = /(?<=<!-- settings -->\n\n)[\s\S]*(?=\n\n<!-- end of settings -->)/

type Setting = z.core.JSONSchema.JSONSchema & { readonly otherwise?: string }

const settingsIn = (io: 'input' | 'output') =>
  z.toJSONSchema(environmentSchema, { io, unrepresentable: 'any' }).properties as Record<
    string,
    Setting
  >

const quoted = (value: unknown): string =>
  value === undefined || value === '' ? '' : `\`${String(value)}\``

/** The table as markdown. Choices are of the text, ranges of the number that is read from it. */
const tableOfSettings = (): string => {
  const texts = settingsIn('input')
  const rows = Object.entries(settingsIn('output')).map(([name, read]) => {
    const text = texts[name]
    const otherwise = text?.otherwise ?? quoted(text?.default ?? read.default)
    const range = read.minimum === undefined ? '' : `${read.minimum} to ${read.maximum}`
    const values = text?.enum?.map(quoted).join(', ') ?? range
    return `| \`${name}\` | ${otherwise} | ${values} | ${text?.description} |`
  })
  return ['| variable | default | values | meaning |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  )
}

test('docs/operating.md has the settings that the code reads', () => {
  const document = readFileSync(FILE, 'utf8')
  const written = document.replace(TABLE, () => tableOfSettings())
  if (process.env.UPDATE_SETTINGS === 'yes') writeFileSync(FILE, written)
  expect(written).toBe(readFileSync(FILE, 'utf8'))
})

test('every setting says its meaning in the table', () => {
  const silent = Object.entries(settingsIn('input')).filter(([, text]) => !text.description)
  expect(silent.map(([name]) => name)).toEqual([])
})
