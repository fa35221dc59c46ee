import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from '../configuration/config.ts'
import { openLog, quietOnTerminal } from './log.ts'
import { asText } from './terminal.ts'

const lines: string[] = []
const log = openLog('info', {
  write: (json) => void lines.push(stripVTControlCharacters(asText(json))),
})
const written = (): string[] => lines.splice(0)

const TIME = '  \\d\\d:\\d\\d:\\d\\d {2}'

test('an event is a short line with its facts', () => {
  log.info({ matured: 3, paidCents: '41200' }, 'investments matured')
  expect(written()).toEqual([
    expect.stringMatching(
      new RegExp(`^${TIME}investments matured · matured 3 · paidCents 41200\n$`),
    ),
  ])
})

test('a list is counted and an error is its message', () => {
  log.warn({ applied: ['a', 'b'], err: new Error('the disk is full') }, 'cannot write')
  expect(written()).toEqual([
    expect.stringMatching(/cannot write · applied 2 · err the disk is full\n$/),
  ])
})

test('a terminal does not act on logged text', () => {
  const reason = 'paid\u001b[2J\r\n  00:00:00  investments matured'
  log.warn({ reason }, 'refused')
  expect(written()).toEqual([
    expect.stringContaining(
      String.raw`reason paid\u001b[2J\u000d\u000a  00:00:00  investments matured`,
    ),
  ])
})

test('a terminal shows failed requests only', () => {
  const ofText = quietOnTerminal(log, readConfig({ LOG_FORMAT: 'text' }))
  ofText.info({ status: 200 }, 'answered')
  ofText.error({ reqId: 'x', code: 'internal' }, 'request failed')
  expect(written()).toEqual([expect.stringMatching(/request failed · code internal\n$/)])
})

test('a collected log shows every request', () => {
  quietOnTerminal(log, readConfig({ LOG_FORMAT: 'json' })).info({ status: 200 }, 'answered')
  expect(written()).toHaveLength(1)
})

test('a quiet log stays quiet about requests', () => {
  const quiet = log.child({}, { level: 'error' })
  quietOnTerminal(quiet, readConfig({ LOG_FORMAT: 'text' })).warn('slow')
  expect(written()).toEqual([])
})
