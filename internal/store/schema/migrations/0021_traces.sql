-- Which trace a webhook belongs to (W3C traceparent), where what it tells of was traced.

ALTER TABLE webhook_deliveries ADD COLUMN trace_parent TEXT;
