import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import jsonApi from 'json-api-nestjs';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { serve, settings } from './serve.mjs';

const { connection, connections_max } = settings();
const { user: username, ...address } = connection;

class Payments {}
Entity('payments')(Payments);
addField('id', Number, PrimaryGeneratedColumn({ type: 'bigint' }));
addField('amountCents', Number, Column({ type: 'int' }));
for (const name of ['status', 'amountCurrency', 'purchaseReference', 'purchaseKind', 'description'])
  addField(name, String, Column({ type: 'varchar' }));
for (const name of ['createdAt', 'updatedAt']) addField(name, Date, Column({ type: 'timestamp' }));

/** Applies a decorator, and notes the type that TypeScript would note. */
function addField(name, type, decorate) {
  Reflect.defineMetadata('design:type', type, Payments.prototype, name);
  decorate(Payments.prototype, name);
}

class App {}
Module({
  imports: [
    TypeOrmModule.forRoot({
      ...address,
      type: 'postgres',
      username,
      entities: [Payments],
      synchronize: true,
      poolSize: connections_max,
    }),
    jsonApi.JsonApiModule.forRoot({
      entities: [Payments],
      options: { requiredSelectField: false },
    }),
  ],
})(App);

const app = await NestFactory.create(App, { logger: ['error'] });
await app.init();
serve(app.getHttpAdapter().getInstance());
