import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { networks } from '@pool/contract/base/networks'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import {
  type AskedBatch,
  batchProblem,
  useBatchAddresses,
  useMakeBatch,
  usePreview,
} from '../../api/coins/batches.ts'
import { messageOf } from '../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { named, t } from '../../i18n/batches.ts'
import { paidNetwork } from '../../ui/paidNetwork.ts'
import { toast } from '../../ui/toasts.ts'
import { OutOfOrder } from '../order/OutOfOrder.tsx'
import { useOrderReason } from '../order/useOrderReason.ts'
import classes from './Batches.module.css'
import { Preview } from './Preview.tsx'

/** A withdrawal or a loan that a batch may pay. */
export type Payable = {
  readonly id: string
  readonly isLoan: boolean
  readonly label: string
}

type Props = {
  /** Those to choose from. Undefined collects coins. */
  readonly payables?: readonly Payable[]
  /** Their network. */
  readonly network?: string
  readonly opened: boolean
  readonly onClose: () => void
}

/** A refusal in the words of this page, or as the server says it. */
const said = (error: unknown, otherwise: string): string => {
  const found = batchProblem(error)
  const sentence = found && named(`problem.${found.problem}`)
  if (!sentence) return messageOf(error, otherwise)
  const reasons = [...new Set(found.leftOut)].map((why) => named(`leftOut.${why}`) ?? why)
  if (reasons.length > 0) return t('problem.reasons', { sentence, reasons: reasons.join(', ') })
  return found.amount === null ? sentence : `${sentence} ${found.amount}.`
}

const familyOf = (network: string) => networks.find(({ name }) => name === network)?.family

const FEE_RATE = /^(?:[1-9]\d{0,2}(?:\.\d{1,3})?|1000)?$/
const COINS = /^(?:\d{1,8}(?:\.\d{1,8})?)?$/

const first = { coin: '', feeRate: '', mostFee: '', format: 'SAFE', address: '' }
type Fields = typeof first

const faultsOf = ({ feeRate, mostFee, address }: Fields, needsAddress: boolean) => ({
  feeRate: FEE_RATE.test(feeRate.trim()) ? null : t('dialog.feeRate.wrong'),
  mostFee: COINS.test(mostFee.trim()) ? null : t('dialog.mostFee.wrong'),
  address: needsAddress && address === '' ? t('dialog.missing') : null,
})

const idsOf = (paid: readonly Payable[]) => ({
  withdrawalIds: paid.flatMap(({ id, isLoan }) => (isLoan ? [] : id)),
  loanIds: paid.flatMap(({ id, isLoan }) => (isLoan ? id : [])),
})

type PayablesProps = {
  readonly all: readonly Payable[]
  /** The ids of those that were taken out. */
  readonly left: ReadonlySet<string>
  readonly disabled: boolean
  readonly onChange: (left: ReadonlySet<string>) => void
}

const Payables = ({ all, left, disabled, onChange }: PayablesProps) => (
  <fieldset className={classes.choices} disabled={disabled}>
    <legend>{t('dialog.withdrawals')}</legend>
    {all.map(({ id, label }) => (
      <Checkbox
        key={id}
        label={label}
        checked={!left.has(id)}
        onChange={() => {
          const next = new Set(left)
          if (!next.delete(id)) next.add(id)
          onChange(next)
        }}
      />
    ))}
  </fieldset>
)

type FeeProps = {
  readonly fields: Fields
  readonly faults: ReturnType<typeof faultsOf> | null
  readonly readOnly: boolean
  readonly onChange: (changed: Partial<Fields>) => void
}

const FeeFields = ({ fields, faults, readOnly, onChange }: FeeProps) => (
  <>
    <TextInput
      label={t('dialog.feeRate')}
      description={t('dialog.feeRate.hint')}
      inputMode="decimal"
      autoComplete="off"
      value={fields.feeRate}
      readOnly={readOnly}
      error={faults?.feeRate}
      onChange={(event) => onChange({ feeRate: event.currentTarget.value })}
    />
    <TextInput
      label={t('dialog.mostFee')}
      description={t('dialog.mostFee.hint')}
      inputMode="decimal"
      autoComplete="off"
      value={fields.mostFee}
      readOnly={readOnly}
      error={faults?.mostFee}
      onChange={(event) => onChange({ mostFee: event.currentTarget.value })}
    />
  </>
)

type NetworkProps = {
  readonly network: string
  readonly disabled: boolean
  readonly isMissing: boolean
  readonly onChange: (network: string) => void
}

/** The network of a collection. */
const NetworkField = ({ network, disabled, isMissing, onChange }: NetworkProps) => (
  <NativeSelect
    label={t('dialog.network')}
    data={[
      { value: '', label: t('dialog.select') },
      ...networks
        .filter((each) => each.family !== 'solana')
        .map(({ name, displayName }) => ({ value: name, label: displayName })),
    ]}
    value={network}
    disabled={disabled}
    error={isMissing && t('dialog.missing')}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)

const BatchForm = ({ payables, network: given = '', onClose }: Omit<Props, 'opened'>) => {
  // Long: each field voids the preview of all the others.
  const isCollection = payables === undefined
  const [network, setNetwork] = useState(given)
  const [fields, setFields] = useState(first)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [isTried, setTried] = useState(false)
  const navigate = useNavigate()
  const preview = usePreview(t('preview.failed'))
  const make = useMakeBatch(t('create.failed'))
  const addresses = useBatchAddresses(t('failed')).data ?? []
  const family = familyOf(network)
  const isBitcoin = family === 'bitcoin'
  const format = family === 'ethereum' ? fields.format : 'CSV'
  const kinds = isCollection ? ['COLD', 'SAFE', 'PAYER'] : [format === 'SAFE' ? 'SAFE' : 'PAYER']
  const own = addresses.filter((each) => each.network === network && kinds.includes(each.kind))
  const needsAddress = isCollection || !isBitcoin
  const faults = faultsOf(fields, needsAddress)
  const chosen = (payables ?? []).filter(({ id }) => !left.has(id))
  const plan = preview.data
  const order = useOrderReason(plan?.passedOver ?? 0)
  const busy = preview.isPending || make.isPending
  const coins = paidNetwork(network).assets.map(({ coin }) => coin)
  const coin = fields.coin || coins[0] || ''

  /** Another choice makes the preview void. */
  const change = (changed: Partial<Fields>) => {
    setFields({ ...fields, ...changed })
    preview.reset()
    make.reset()
  }
  const asked = (paid: readonly Payable[]): AskedBatch => ({
    kind: isCollection ? 'COLLECTION' : 'PAYOUT',
    networkName: network,
    coin,
    ...idsOf(paid),
    ...(fields.feeRate.trim() !== '' && { feeRate: Number(fields.feeRate) }),
    ...(fields.mostFee.trim() !== '' && { mostFee: fields.mostFee.trim() }),
    ...(family === 'ethereum' && !isCollection && { format: format === 'SAFE' ? 'SAFE' : 'CSV' }),
    ...(needsAddress && { [isCollection ? 'target' : 'payer']: fields.address }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const isWrong = Object.values(faults).some((fault) => fault !== null)
    if (busy || isWrong || network === '' || (!isCollection && chosen.length === 0)) return
    if (!plan) return preview.mutate(asked(chosen))
    if (!order.check()) return
    // Those that were left out in the preview are left out for good.
    const out = new Set(plan.leftOut.map(({ withdrawalId, loanId }) => withdrawalId ?? loanId))
    const rest = chosen.filter(({ id }) => !out.has(id))
    make.mutate(
      { ...asked(rest), ...order.payload },
      {
        onSuccess: (id) => {
          toast({ message: t(plan.needsSecond ? 'create.waits' : 'create.done') })
          onClose()
          void navigate(`/admin/batches/${id}`)
        },
      },
    )
  }
  const error = make.error
    ? said(make.error, t('create.failed'))
    : preview.error && said(preview.error, t('preview.failed'))
  return (
    <DialogForm
      submitLabel={t(plan ? 'create' : 'preview')}
      busyLabel={t(make.isPending ? 'create.busy' : 'preview.busy')}
      busy={busy}
      error={error ?? (isTried && !isCollection && chosen.length === 0 ? t('dialog.none') : null)}
      onSubmit={submit}
      onCancel={onClose}
    >
      {isCollection && (
        <NetworkField
          network={network}
          disabled={busy}
          isMissing={isTried && network === ''}
          onChange={(next) => {
            setNetwork(next)
            change({ coin: '', address: '' })
          }}
        />
      )}
      {payables && (
        <Payables
          all={payables}
          left={left}
          disabled={busy}
          onChange={(next) => {
            setLeft(next)
            change({})
          }}
        />
      )}
      <NativeSelect
        label={t('dialog.coin')}
        data={coins}
        value={coin}
        disabled={busy}
        onChange={(event) => change({ coin: event.currentTarget.value })}
      />
      {isBitcoin && (
        <FeeFields
          fields={fields}
          faults={isTried ? faults : null}
          readOnly={busy}
          onChange={change}
        />
      )}
      {family === 'ethereum' && !isCollection && (
        <NativeSelect
          label={t('dialog.format')}
          data={[
            { value: 'SAFE', label: t('dialog.SAFE') },
            { value: 'CSV', label: t('dialog.CSV') },
          ]}
          value={fields.format}
          disabled={busy}
          onChange={(event) => change({ format: event.currentTarget.value, address: '' })}
        />
      )}
      {needsAddress && network !== '' && (
        <NativeSelect
          label={t(isCollection ? 'dialog.target' : 'dialog.payer')}
          description={own.length === 0 ? t('dialog.noAddress') : undefined}
          data={[
            { value: '', label: t('dialog.select') },
            ...own.map(({ address }) => ({ value: address, label: address })),
          ]}
          value={fields.address}
          disabled={busy}
          error={isTried && faults.address}
          onChange={(event) => change({ address: event.currentTarget.value })}
        />
      )}
      {plan && <Preview plan={plan} />}
      <OutOfOrder order={order} busy={busy} />
    </DialogForm>
  )
}

/** Makes a batch of payments, or one that collects coins: choose, look at it, make it. */
export const BatchDialog = ({ opened, onClose, ...form }: Props) => (
  <Dialog
    title={t(form.payables ? 'dialog.title' : 'dialog.collect')}
    opened={opened}
    onClose={onClose}
  >
    <BatchForm {...form} onClose={onClose} />
  </Dialog>
)
