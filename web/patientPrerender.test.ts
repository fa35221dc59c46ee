import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const PATIENT = new URL('./patientPrerender.mjs', import.meta.url).href
/** True where a call that is bounded to a millisecond is cut. */
const isCut = (...options: readonly string[]): boolean => {
  const program = `const signal = AbortSignal.timeout(1)
    setTimeout(() => console.log(signal.aborted), 50)`
  return (
    execFileSync(process.execPath, [...options, '-e', program], { encoding: 'utf8' }) === 'true\n'
  )
}

test('a prerendered page is not cut after its bound', () => {
  expect(isCut()).toBe(true)
  expect(isCut('--import', PATIENT)).toBe(false)
})
