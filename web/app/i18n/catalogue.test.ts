import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { languages } from '@pool/contract/base/languages'
import { expect, test } from 'vitest'

const read = (language: string, file: string): Record<string, string> =>
  JSON.parse(readFileSync(join(import.meta.dirname, language, file), 'utf8')) as Record<
    string,
    string
  >

const files = globSync('*.json', { cwd: join(import.meta.dirname, 'en') })

/** The names of the values in a sentence. */
const valuesIn = (message: string): string[] => {
  const found = new Set<string>()
  const collect = (part: unknown): void => {
    if (!Array.isArray(part)) return
    const [name, , options] = part
    if (typeof name === 'string') found.add(name)
    if (typeof options === 'object' && options !== null)
      for (const option of Object.values(options))
        if (Array.isArray(option)) option.forEach(collect)
  }
  const compiled = compileMessage(message)
  if (Array.isArray(compiled)) compiled.forEach(collect)
  return [...found].sort()
}

/** Every string of the web app that may be a sentence's key, also with a part filled in. */
const said = globSync('../**/*.{ts,tsx}', { cwd: import.meta.dirname })
  .map((path) => readFileSync(join(import.meta.dirname, path), 'utf8'))
  .flatMap((source) => [...source.matchAll(/['`]([\w.]*(?:\$\{[^}]+\}[\w.]*)*)['`]/g)])
  .filter(([, name = '']) => name.includes('.') || !name.includes('$'))
  .map(
    ([, name = '']) =>
      new RegExp(`^${name.replaceAll('.', '\\.').replace(/\$\{[^}]+\}/g, '[\\w]+')}$`),
  )

for (const file of files) {
  const english = read('en', file)

  test.each(languages)(`${file} has every sentence and value in '%s'`, (language) => {
    const told = read(language, file)
    expect(Object.keys(told).sort()).toEqual(Object.keys(english).sort())
    const valuesOf = (catalogue: Record<string, string>) =>
      Object.fromEntries(Object.entries(catalogue).map(([key, text]) => [key, valuesIn(text)]))
    expect(valuesOf(told)).toEqual(valuesOf(english))
    expect(Object.entries(told).filter(([, text]) => text.trim() === '')).toEqual([])
  })

  test(`${file} has no unused sentence`, () => {
    const unsaid = Object.keys(english).filter((key) => !said.some((name) => name.test(key)))
    expect(unsaid).toEqual([])
  })
}
