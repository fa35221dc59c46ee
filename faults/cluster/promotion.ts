/** Watches which machine is the primary. */
import { until as soon } from '../../ops/cluster/services.mjs'
import type { Machine, Stage } from './stage.ts'

const TIMEOUT_MS = 120_000

/** Resolves once `isSo` answers true. */
export const until = (isSo: () => boolean | Promise<boolean>): Promise<void> =>
  soon(isSo, () => `Never so: ${isSo}`, TIMEOUT_MS)

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
