import { networks } from '@pool/contract/networks'
import {
  archiveWallet,
  createWallet,
  createWallets,
  deleteWallet,
  depositTerms,
  listNetworks,
  listWallets,
  restoreWallet,
  walletStock,
} from '@pool/contract/wallets'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { route } from '../http/route.ts'
import { addWallet } from './addWallet.ts'
import { addWallets } from './addWallets.ts'
import * as archive from './archiveWallet.ts'
import { deleteWallet as deleteAvailableWallet } from './deleteWallet.ts'
import { depositTermsOf, wireNetwork } from './depositTerms.ts'
import * as queries from './queries.ts'
import { readStock } from './stock.ts'

/** Most bytes of a list: 10,000 of the longest addresses, which have 90 characters. */
const LIST_LIMIT = 1_024 * 1_024

export const walletRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context

  route(app, context, listNetworks, async () => networks.map(wireNetwork))

  const readTerms = depositTermsOf(db)
  route(app, context, depositTerms, ({ session }) => readTerms(session.userId))

  route(app, context, listWallets, ({ query, lagging }) => queries.listWallets(db, query, lagging))

  route(app, context, createWallet, ({ payload, by }) => addWallet(context, payload, by))

  route(app, context, createWallets, ({ payload, by }) => addWallets(context, payload, by), {
    bodyLimit: LIST_LIMIT,
  })

  route(app, context, deleteWallet, async ({ params, by }) => {
    await deleteAvailableWallet(context, params.id, by)
    return { id: params.id }
  })

  route(app, context, walletStock, () => readStock(db))

  route(app, context, archiveWallet, ({ params, by }) =>
    archive.archiveWallet(context, params.id, by),
  )
  route(app, context, restoreWallet, ({ params, by }) =>
    archive.restoreWallet(context, params.id, by),
  )
}
