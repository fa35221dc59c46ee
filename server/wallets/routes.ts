import {
  createWallet,
  deleteWallet,
  listNetworks,
  listWallets,
  networks,
} from '@pool/contract/wallets'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { route } from '../http/route.ts'
import { addWallet } from './addWallet.ts'
import { deleteWallet as deleteAvailableWallet } from './deleteWallet.ts'
import * as queries from './queries.ts'

export const walletRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context

  route(app, context, listNetworks, async () => [...networks])

  route(app, context, listWallets, ({ query }) => queries.listWallets(db, query))

  route(app, context, createWallet, ({ payload, by }) => addWallet(context, payload, by))

  route(app, context, deleteWallet, async ({ params, by }) => {
    await deleteAvailableWallet(context, params.id, by)
    return { id: params.id }
  })
}
