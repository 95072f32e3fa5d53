"""What people see: numbers turned into sentences and tables. No mathematics here."""
