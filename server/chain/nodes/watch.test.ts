import { expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { testProduct } from '../../testing/product.ts'
import { addWallet } from '../wallets/addWallet.ts'
import { watchWallets } from './watch.ts'

const product = testProduct()

const add = async (networkName: 'Ethereum' | 'Polygon' | 'Bitcoin'): Promise<string> => {
  const address = newAddress(networkName)
  await addWallet(product.context, { address, networkName }, { name: 'tests', from: 'tests' })
  return address
}

test('wallets are read again only when others came', async () => {
  const known = new Map<string, string>()
  const watch = async () => {
    await watchWallets(product.context.db, 'Ethereum', known)
    return new Set(known.values())
  }
  const [first, second] = [await add('Ethereum'), await add('Polygon')]
  await add('Bitcoin')
  expect(await watch()).toEqual(new Set([first, second]))
  // One goes and another comes, and their number stays.
  await product.database.superuser.query('DELETE FROM wallets WHERE address = $1', [first])
  const third = await add('Ethereum')
  expect(await watch()).toEqual(new Set([first, second, third]))
  // The same address on a second network of the family adds nothing.
  await addWallet(
    product.context,
    { address: third, networkName: 'Polygon' },
    { name: 'tests', from: 'tests' },
  )
  expect(await watch()).toEqual(new Set([first, second, third]))
  known.clear()
  expect(await watch()).toEqual(new Set())
})
