import { networks } from '@pool/contract/base/networks'
import {
  depositTerms,
  listNetworks,
  listWallets,
  restoreWallet,
  walletStock,
} from '@pool/contract/chain/wallets'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import { quotedCoins } from '../rates/rates.ts'
import * as archive from './archiveWallet.ts'
import { depositTermsOf, wireNetwork } from './depositTerms.ts'
import * as queries from './queries.ts'
import { readStock } from './stock.ts'

export const walletRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context

  route(app, context, listNetworks, async () => networks.map(wireNetwork))

  const readTerms = depositTermsOf(db)
  route(app, context, depositTerms, async ({ session }) =>
    readTerms(session.userId, await quotedCoins(context)),
  )

  route(app, context, listWallets, ({ query, lagging }) => queries.listWallets(db, query, lagging))

  route(app, context, walletStock, () => readStock(db))

  route(app, context, restoreWallet, ({ params, by }) =>
    archive.restoreWallet(context, params.id, by),
  )
}
