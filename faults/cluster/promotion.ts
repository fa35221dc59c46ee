/** Watches which machine is the primary. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Machine, Stage } from './stage.ts'

const TIMEOUT_MS = 120_000

/** Patroni's answers cost processor time, which the load needs. */
const ASKED_EVERY_MS = 300

/** Resolves once `isSo` answers true. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  const end = Date.now() + TIMEOUT_MS
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Never so: ${isSo}`)
    await wait(ASKED_EVERY_MS)
  }
}

/** A primary and its timeline, which each promotion raises. */
export type Leader = { readonly machine: Machine; readonly timeline: number }

/** The primary by Patroni's word. Throws unless there is exactly one. */
export const leaderOf = async ({ machinesThat }: Pick<Stage, 'machinesThat'>): Promise<Leader> => {
  const [machine, ...others]: readonly Machine[] = await machinesThat('primary')
  if (!machine || others.length > 0) throw new Error('There is not exactly one primary.')
  const answer = await fetch(`http://${machine.address}:8008/patroni`)
  const { timeline } = (await answer.json()) as { timeline?: number }
  return { machine, timeline: timeline ?? 0 }
}

/** True once another machine is the primary, on a later timeline. */
export const hasPromoted = async (stage: Stage, before: Leader): Promise<boolean> => {
  const now = await leaderOf(stage).catch(() => before)
  return now.machine !== before.machine && now.timeline > before.timeline
}

export const promoted = (stage: Stage, before: Leader): Promise<void> =>
  until(() => hasPromoted(stage, before))

export const othersOf = ({ databaseMachines }: Stage, machine: Machine): readonly Machine[] =>
  databaseMachines.filter((each) => each !== machine)
