import { Checkbox, TextInput } from '@mantine/core'
import type { AskedProposal } from '@pool/contract/agreements/proposals'
import { useState } from 'react'
import type { VersionRow } from '../../../api/money/planVersions.ts'
import { AmountInput } from '../../../forms/AmountInput.tsx'
import { dollarsText, readDollars } from '../../../i18n/dollars.ts'
import { t } from '../../../i18n/plans.ts'
import { useDraft } from '../../../session/drafts.ts'
import { useSessionUser } from '../../../session/store.ts'
import { zoneName } from '../../../ui/DateTime.tsx'
import { AskDialog } from '../../coins/reconciliation/AskDialog.tsx'

type Typed = {
  readonly days: string
  readonly rate: string
  readonly least: string
  readonly most: string
  readonly capacity: string
  readonly leastRunway: string
  readonly isOpen: boolean
  readonly startsAt: string
  readonly reason: string
}

const HOUR_MS = 3_600_000

/** A moment in the reader's zone, as a field of the browser holds it: `2026-01-31T12:00`. */
const fieldOf = (moment: Date): string =>
  new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

const orEmpty = (dollars: number | null) => (dollars === null ? '' : dollarsText(dollars))

/** The terms before, and the next hour. */
const typedOf = (before: VersionRow | null): Typed => ({
  days: before ? String(before.durationDays) : '',
  rate: before ? String(before.rateBasisPoints / 100) : '',
  least: dollarsText(before?.least ?? 5),
  most: orEmpty(before?.most ?? null),
  capacity: orEmpty(before?.capacity ?? null),
  leastRunway: String(before?.leastRunway ?? ''),
  isOpen: before?.isOpen ?? true,
  startsAt: fieldOf(new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS)),
  reason: '',
})

/** A bound in dollars, null for an empty field. */
const boundOf = (typed: string): number | null =>
  typed.trim() === '' ? null : (readDollars(typed) ?? null)

/** The proposal, or null while a field is empty or not read. */
const askedFor = (typed: Typed, reason: string): AskedProposal | null => {
  const durationDays = Number(typed.days)
  // A comma is a decimal mark in Spanish, and no percentage has groups.
  const rateBasisPoints = Math.round(Number(typed.rate.replace(',', '.')) * 1e6) / 1e4
  const least = readDollars(typed.least)
  const [most, capacity] = [boundOf(typed.most), boundOf(typed.capacity)]
  const leastRunway = typed.leastRunway.trim() === '' ? null : Number(typed.leastRunway)
  const startsAt = new Date(typed.startsAt)
  const bounds = [most ?? 0, capacity ?? 0, leastRunway ?? 0]
  const numbers = [durationDays, rateBasisPoints, least ?? Number.NaN, ...bounds]
  if (least === undefined || typed.days.trim() === '' || typed.rate.trim() === '') return null
  if ([...numbers, startsAt.getTime()].some(Number.isNaN)) return null
  return {
    kind: 'PLAN',
    reason,
    durationDays,
    rateBasisPoints,
    least,
    most,
    capacity,
    leastRunway,
    isOpen: typed.isOpen,
    startsAt: startsAt.toISOString(),
  }
}

type Props = {
  /** The version whose terms the form begins with. Null for a new plan. */
  readonly before: VersionRow | null
  readonly opened: boolean
  readonly onClose: () => void
}

/** The name of the draft of a plan's version, or of a new plan. */
const planDraft = (before: VersionRow | null): string =>
  before ? `plan ${before.durationDays}` : 'plan new'

/** Asks a second super admin for a version of a plan. */
export const PlanDialog = ({ before, onClose }: Props) => {
  const [empty] = useState(() => typedOf(before))
  const draft = useDraft(planDraft(before), useSessionUser()?.id ?? '', empty)
  const [typed, setTyped] = useState(draft.initial)
  draft.keep(() => typed)
  const set = (change: Partial<Typed>) => setTyped({ ...typed, ...change })
  const text = (name: 'days' | 'rate' | 'leastRunway' | 'startsAt', busy: boolean) => ({
    label: t(`dialog.${name}`),
    size: 'md' as const,
    autoComplete: 'off',
    value: typed[name],
    readOnly: busy,
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      set({ [name]: event.currentTarget.value }),
  })
  const amount = (name: 'least' | 'most' | 'capacity', busy: boolean) => ({
    label: t(`dialog.${name}`),
    value: typed[name],
    readOnly: busy,
    onChange: (value: string) => set({ [name]: value }),
  })
  return (
    <AskDialog
      title={before ? t('dialog.change', { days: before.durationDays }) : t('dialog.new')}
      text={t('dialog.text')}
      onClose={onClose}
      kept={{ reason: typed.reason, onReason: (reason) => set({ reason }) }}
      asked={(reason) => askedFor(typed, reason)}
    >
      {(busy) => (
        <>
          {!before && <TextInput {...text('days', busy)} inputMode="numeric" maxLength={4} />}
          <TextInput {...text('rate', busy)} inputMode="decimal" maxLength={6} />
          <AmountInput {...amount('least', busy)} />
          <AmountInput {...amount('most', busy)} description={t('dialog.without')} />
          <AmountInput {...amount('capacity', busy)} description={t('dialog.without')} />
          <TextInput
            {...text('leastRunway', busy)}
            inputMode="numeric"
            maxLength={4}
            description={t('dialog.leastRunway.hint')}
          />
          <TextInput
            {...text('startsAt', busy)}
            type="datetime-local"
            step={1}
            description={t('dialog.zone', { zone: zoneName(new Date()) })}
          />
          <Checkbox
            label={t('dialog.open')}
            checked={typed.isOpen}
            disabled={busy}
            onChange={(event) => set({ isOpen: event.currentTarget.checked })}
          />
        </>
      )}
    </AskDialog>
  )
}
