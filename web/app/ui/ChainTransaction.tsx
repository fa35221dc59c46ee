import { common } from '../i18n/common.ts'
import { transactionUrl } from './explorer.ts'

type Props = { readonly network: string; readonly id: string; readonly className?: string }

/** A transaction on its chain, linked to the network's explorer. */
export const ChainTransaction = ({ network, id, className }: Props) => {
  const url = transactionUrl(network, id)
  if (!url) return <span className={className}>{id}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer" className={className} title={common('explorer')}>
      {id}
    </a>
  )
}
