import { build, type Plugin } from 'vite'
import { expect, test } from 'vitest'
import { stripSchemas } from './stripSchemas.ts'

const ENTRY = '\0entry.ts'

const entry = (code: string): Plugin => ({
  name: 'entry',
  resolveId: (id) => (id.endsWith('virtual:entry') ? ENTRY : undefined),
  load: (id) => (id === ENTRY ? code : undefined),
})

/** The script that a browser gets for this code. */
const built = async (code: string): Promise<string> => {
  const result = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'silent',
    plugins: [entry(code), stripSchemas()],
    build: {
      write: false,
      rolldownOptions: { input: 'virtual:entry', preserveEntrySignatures: 'strict' },
    },
  })
  const [output] = [result].flat()
  return output && 'output' in output ? output.output[0].code : ''
}
const run = async (code: string): Promise<Record<string, unknown>> =>
  import(`data:text/javascript,${encodeURIComponent(await built(code))}`)

test('an endpoint keeps its path and loses its schemas', async () => {
  const { deposit } = await run("export { deposit } from '@pool/contract/requests/requests'")
  expect(deposit).toEqual({
    method: 'POST',
    path: '/api/v1/public/transaction/deposit',
    access: 'user',
    movesMoney: true,
  })
})

test('a constant that a call makes keeps its value', async () => {
  const { auditActionNames } = await run(
    "export { auditActionNames } from '@pool/contract/reports/audit'",
  )
  expect(auditActionNames).toContain('wallet.added')
})

test('zod stays with the schemas of forms', async () => {
  expect(await built("export * from '@pool/contract/base/endpoints'")).not.toContain('invalid_type')
  expect(await built("export * from '@pool/contract/base/fields'")).toContain('invalid_type')
})

test.each([
  ['a schema', 'transactionSchema', 'requests/transactions'],
  ['a function that makes schemas', 'listQuery', 'base/lists'],
])('%s does not build in a browser', async (_, name, file) => {
  await expect(built(`export { ${name} } from '@pool/contract/${file}'`)).rejects.toThrow(
    `"${name}" is not exported by`,
  )
})
