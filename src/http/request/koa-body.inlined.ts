// koa-body: built into this module, since it comes with sixty packages.
export { HttpMethodEnum, koaBody } from 'koa-body';
